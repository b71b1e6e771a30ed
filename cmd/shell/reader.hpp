#pragma once

#include "cmd/shell/env.hpp"
#include "cmd/shell/flags.hpp"
#include "report/render.hpp"

namespace gpu::cmd {

/// Who reads the answer: people at a terminal, a pipe, or a program that parses it.
enum class Reader { people, pipe, machine };

/// By the form of -o, and by what stdout is.
Reader reader_of(report::Format format, const GlobalFlags& flags, const Env& env);

}  // namespace gpu::cmd
