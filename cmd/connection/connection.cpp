#include <nlohmann/json.hpp>
#include <ostream>

#include "cmd/shell/app.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/parse.hpp"
#include "kube/config/connection.hpp"
#include "kube/config/describe.hpp"

namespace gpu::cmd {

const CommandInfo kConnection = {
    .name = "__connection",
    .usage = "__connection",
    .summary = "How the kubeconfig and flags resolve, without secrets (for tests and bug reports)",
    .examples = "__connection --context prod",
};

int run_connection(const Words& words, Env& env) {
  CLI::App app;
  GlobalFlags flags;
  add_connection_flags(app, flags);
  if (parse(app, words, kConnection, flags.help, env) == Parsed::help_shown) return 0;
  const kube::Connection connection =
      kube::resolve_connection(flags.connection, {.environment = env.environment});
  env.out << kube::describe(connection).dump(2) << "\n";
  return 0;
}

}  // namespace gpu::cmd
