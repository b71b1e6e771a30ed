#pragma once

#include "cmd/shell/command.hpp"

namespace gpu::cmd {

/// `cost`: what GPUs cost, who pays for them, and how much of it does nothing.
extern const Command kCost;

}  // namespace gpu::cmd
