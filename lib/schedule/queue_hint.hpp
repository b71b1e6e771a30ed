#pragma once

#include <vector>

#include "schedule/cluster.hpp"

namespace gpu::schedule {

/// Whether the scheduler may overlook that the end of these pods lets `asked` in: it then waits
/// until all that was refused is tried again, 5 minutes at most. Source: the queueing hints of
/// VolumeRestrictions (pods of the same namespace only) and InterPodAffinity (pods about which all
/// terms are) of 1.36.
bool may_be_overlooked(const Cluster& cluster, const Pod& asked,
                       const std::vector<const Pod*>& ended);

}  // namespace gpu::schedule
