#pragma once

#include "cmd/shell/command.hpp"

namespace gpu::cmd {

extern const Command kGen;

}  // namespace gpu::cmd
