#include "cmd/shell/run_command.hpp"

#include <ostream>

#include "cmd/shell/help.hpp"

namespace gpu::cmd {

void add_help_flag(FlagSet& flags, bool& target) {
  flags.toggle("-h,--help", &target).in(FlagGroup::output).help("this text");
}

int run_command(const Command& command, const Words& words, Commands all, Env& env) {
  FlagSet flags;
  const BoundCommand bound = command.bind(flags, all);
  bool asks_for_help = false;
  add_help_flag(flags, asks_for_help);
  flags.read(words, command.info, env.program);
  if (!asks_for_help) return bound.run(env);
  env.out << (bound.help ? bound.help(flags, env.program)
                         : help_text(command.info, flags.all(), env.program));
  return 0;
}

}  // namespace gpu::cmd
