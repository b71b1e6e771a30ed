#pragma once

#include <string>

#include "cmd/shell/command.hpp"

namespace gpu::cmd {

/// The page kubectl-gpu(1), in the language of man(7), from the tables that help is printed from.
/// `common` are the flags that many commands have.
std::string man_page(Commands all, const FlagSet& common);

}  // namespace gpu::cmd
