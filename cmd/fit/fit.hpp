#pragma once

#include "cmd/shell/command.hpp"

namespace gpu::cmd {

/// `fit`: whether pods that are not created yet would start now, and where.
extern const Command kFit;

}  // namespace gpu::cmd
