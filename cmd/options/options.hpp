#pragma once

#include "cmd/shell/command.hpp"

namespace gpu::cmd {

extern const Command kOptions;

}  // namespace gpu::cmd
