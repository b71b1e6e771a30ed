#pragma once

#include "schedule/cluster.hpp"
#include "schedule/explanation.hpp"

namespace gpu::schedule {

/// Adds to the answer for a pod that is not made yet what the API server would make of it: classes
/// that do not exist and GPUs that are not asked for as they must be are refusals, and then the
/// reason; a quota that is used up is a warning; what cannot be known is named.
void add_api_opinion(Explanation& answer, const Cluster& cluster, const Pod& pod);

}  // namespace gpu::schedule
