#pragma once

#include <string>
#include <vector>

#include "model/pod.hpp"

namespace gpu::kube {

/// The pods that the manifest in a file would make, as decode::pods_in_manifest() reads it. Throws
/// Error{usage} for a file that cannot be read.
std::vector<Pod> pods_in_manifest_file(const std::string& path, const std::string& name,
                                       const std::string& ns);

}  // namespace gpu::kube
