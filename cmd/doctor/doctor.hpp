#pragma once

#include "cmd/shell/command.hpp"

namespace gpu::cmd {

/// `doctor`: whether the GPU stack is healthy, and which numbers can be trusted.
extern const Command kDoctor;

}  // namespace gpu::cmd
