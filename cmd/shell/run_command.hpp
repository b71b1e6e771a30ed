#pragma once

#include "cmd/shell/command.hpp"
#include "cmd/shell/flag_set.hpp"

namespace gpu::cmd {

/// -h and --help, bound to `target`.
void add_help_flag(FlagSet& flags, bool& target);

/// Runs `command` on all words but its own name, or prints its help where these ask for it; the
/// exit code. Throws Error.
int run_command(const Command& command, const Words& words, Commands all, Env& env);

}  // namespace gpu::cmd
