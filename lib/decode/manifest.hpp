#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/pod.hpp"

namespace gpu::decode {

/// The pods that a manifest would make, one for each pod template in it: of a Pod, of the kinds
/// that own pods, of a List of these. `name` stands before what is said of the text; `ns` is where
/// an object without a namespace goes. Throws Error{usage} with the line for what is not YAML or
/// JSON, and for a manifest without pods.
std::vector<Pod> pods_in_manifest(std::string_view text, const std::string& name,
                                  const std::string& ns);

}  // namespace gpu::decode
