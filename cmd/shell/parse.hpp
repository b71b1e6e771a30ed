#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cmd/shell/env.hpp"
#include "cmd/shell/help.hpp"

namespace gpu::cmd {

/// What is left to do after the flags were read.
enum class Parsed { run, help_shown };

/// Reads `words` into what `app` is bound to. Throws Error{usage} for a flag or word of `info` that
/// does not fit.
void read_words(CLI::App& app, const std::vector<std::string>& words, const CommandInfo& info,
                const Env& env);

/// The same, and prints the help of `info` when it was asked for.
Parsed parse(CLI::App& app, const std::vector<std::string>& words, const CommandInfo& info,
             const bool& help_flag, Env& env);

}  // namespace gpu::cmd
