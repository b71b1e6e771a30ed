#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/objects/node.hpp"

namespace gpu::diagnose {

/// The groups of "pod triggered scale-up: [{gpu-pool 1->2 (max: 4)} {other 0->1 (max: 3)}]".
std::vector<std::string> groups_in(std::string_view message);

/// Whether a label of the node names its pool as that node group does: "gke-prod-gpu-1a2b-grp" is
/// of the pool "gpu".
bool is_in_group(const Node& node, std::string_view group);

}  // namespace gpu::diagnose
