#pragma once

#include "cmd/shell/command.hpp"

namespace gpu::cmd {

/// `lint`: mistakes in manifests of GPU workloads.
extern const Command kLint;

}  // namespace gpu::cmd
