#pragma once

#include "cmd/shell/command.hpp"

namespace gpu::cmd {

/// `quota`: what limits GPUs, and how each limit stands.
extern const Command kQuota;

}  // namespace gpu::cmd
