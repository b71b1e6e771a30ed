#pragma once

#include <string>
#include <string_view>

#include "cmd/shell/command.hpp"
#include "cmd/shell/flag_set.hpp"
#include "cmd/top/top_flags.hpp"

namespace gpu::cmd {

/// The help of `top`: of the view that was typed, with the flags that mean something there; of all
/// where none was, as `info` says it. Throws Error{usage} for a word that is no view.
std::string top_help(FlagSet& flags, const TopFlags& typed, const CommandInfo& info,
                     std::string_view program);

}  // namespace gpu::cmd
