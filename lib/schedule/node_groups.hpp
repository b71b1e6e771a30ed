#pragma once

#include <vector>

#include "schedule/cluster.hpp"
#include "schedule/explanation.hpp"
#include "schedule/verdict.hpp"

namespace gpu::schedule {

/// Every judged node in exactly one group, by its whole set of blockers: fewest blockers first,
/// then the one whose best node has most of what the pod asks for.
std::vector<NodeGroup> groups_of(const Cluster& cluster, const Pod& pod, const Verdict& verdict);

}  // namespace gpu::schedule
