#pragma once

#include <string>

#include "cmd/top/top.hpp"

namespace gpu::cmd {

/// The help of `top`: of the view that was typed, with the flags that mean something there; of all
/// where none was. Throws Error{usage} for a word that is no view.
std::string top_help(CLI::App& app, const TopFlags& flags, const std::string& program);

}  // namespace gpu::cmd
