#include "cmd/connection/connection.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

#include "cmd/shell/flags.hpp"
#include "kube/config/connection.hpp"
#include "kube/config/describe.hpp"

namespace gpu::cmd {
namespace {

int run_connection(GlobalFlags& flags, Env& env) {
  const kube::Connection connection =
      kube::resolve_connection(flags.connection, {.environment = env.environment});
  env.out << kube::describe(connection).dump(2) << "\n";
  return 0;
}

}  // namespace

const Command kConnection = {
    .info = {.name = "__connection",
             .usage = "__connection",
             .summary = "How the kubeconfig and flags resolve, without secrets (for tests and bug "
                        "reports)",
             .examples = "__connection --context prod"},
    .visibility = Visibility::hidden,
    .bind = bound<GlobalFlags, add_connection_flags, run_connection>,
};

}  // namespace gpu::cmd
