#include <fmt/format.h>

#include <ostream>

#include "cmd/shell/app.hpp"
#include "cmd/shell/flags.hpp"
#include "cmd/shell/parse.hpp"

namespace gpu::cmd {

const CommandInfo kVersion = {
    .name = "version",
    .usage = "version",
    .summary = "Print our version",
    .examples = "version",
};

int run_version(const Words& words, Env& env) {
  CLI::App app;
  GlobalFlags flags;
  add_connection_flags(app, flags);
  if (parse(app, words, kVersion, flags.help, env) == Parsed::help_shown) return 0;
  env.out << fmt::format("kubectl-gpu v{}\n", KUBECTL_GPU_VERSION);
  return 0;
}

}  // namespace gpu::cmd
