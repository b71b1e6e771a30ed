#pragma once

#include "cmd/shell/command.hpp"

namespace gpu::cmd {

extern const Command kTop;

}  // namespace gpu::cmd
