#pragma once

#include "cmd/shell/command.hpp"

namespace gpu::cmd {

extern const Command kSnapshot;

}  // namespace gpu::cmd
