#pragma once

#include <string>
#include <vector>

#include "model/snapshot/snapshot.hpp"

namespace gpu::diagnose {

/// What a pod asks for by claims for devices, in the order of its spec: "claim train-gpus: 4 x
/// gpu.nvidia.com", "claim of template one: 1 x gpu.nvidia.com or 2 x mig.nvidia.com".
std::vector<std::string> requested_claims(const Snapshot& snapshot, const Pod& pod);

}  // namespace gpu::diagnose
