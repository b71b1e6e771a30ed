#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cmd/env.hpp"
#include "cmd/help.hpp"

namespace gpu::cmd {

/// What is left to do after the flags were read.
enum class Parsed { run, help_shown };

/// Reads `words` into what `app` is bound to. Prints the help of `info` when it was asked for.
/// Throws Error{usage} for a flag or word that does not fit.
Parsed parse(CLI::App& app, const std::vector<std::string>& words, const CommandInfo& info,
             const bool& help_flag, Env& env);

}  // namespace gpu::cmd
