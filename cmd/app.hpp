#pragma once

#include "cmd/shell/command.hpp"

namespace gpu::cmd {

/// All subcommands, in the order of help.
Commands all_commands();

/// The whole program: finds the subcommand, runs it, and turns an Error into two lines on stderr
/// and its exit code.
int run(const Words& words, Env& env);

}  // namespace gpu::cmd
