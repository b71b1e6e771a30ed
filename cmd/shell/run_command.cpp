#include "cmd/shell/run_command.hpp"

#include <algorithm>
#include <ostream>
#include <string_view>

#include "cmd/shell/help.hpp"

namespace gpu::cmd {

void add_help_flag(FlagSet& flags, bool& target) {
  flags.toggle("-h,--help", &target).in(FlagGroup::common).help("print help for the command");
}

namespace {

/// Whoever types `--version` behind a command means the program's.
constexpr std::string_view kVersionCommand = "version";

const Command* command_named(std::string_view name, Commands all) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Command* each) { return each->info.name == name; });
  return found == all.end() ? nullptr : *found;
}

}  // namespace

int run_command(const Command& command, const Words& words, Commands all, Env& env) {
  FlagSet flags;
  const BoundCommand bound = command.bind(flags, all);
  bool asks_for_help = false;
  bool asks_for_version = false;
  add_help_flag(flags, asks_for_help);
  flags.toggle("--version", &asks_for_version);
  flags.read(words, command.info, env.program);
  if (asks_for_help) {
    env.out << (bound.help ? bound.help(flags, env.program)
                           : help_text(command.info, flags.all(), env.program))
            << common_flags_line(flags.all(), env.program);
    return 0;
  }
  const Command* const version = asks_for_version ? command_named(kVersionCommand, all) : nullptr;
  if (version != nullptr) return run_command(*version, {}, all, env);
  return bound.run(env);
}

}  // namespace gpu::cmd
