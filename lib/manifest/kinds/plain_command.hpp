#pragma once

#include <string>
#include <vector>

#include "manifest/fit/request.hpp"

namespace gpu::manifest {

/// What the container runs where nothing has to start its ranks: the command as it was given; a
/// --script, or a command that is one (`-- train.py --epochs 3`), by its interpreter.
std::vector<std::string> plain_command(const GenRequest& request);

}  // namespace gpu::manifest
