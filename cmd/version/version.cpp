#include "cmd/version/version.hpp"

#include <fmt/format.h>

#include <ostream>

#include "cmd/shell/flags.hpp"

namespace gpu::cmd {
namespace {

int run_version(GlobalFlags& /*flags*/, Env& env) {
  env.out << fmt::format("kubectl-gpu v{}\n", KUBECTL_GPU_VERSION);
  return 0;
}

}  // namespace

const Command kVersion = {
    .info = {.name = "version",
             .usage = "version",
             .summary = "Print our version",
             .examples = "version"},
    .bind = bound<GlobalFlags, add_connection_flags, run_version>,
};

}  // namespace gpu::cmd
