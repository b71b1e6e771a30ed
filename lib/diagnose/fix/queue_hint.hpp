#pragma once

#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Whether the scheduler may overlook that the end of these pods lets `asked` in: it then waits
/// until all that was refused is tried again, 5 minutes at most. Source: the queueing hints of
/// VolumeRestrictions (pods of the same namespace only) and InterPodAffinity (pods about which all
/// terms are) of 1.36.
bool may_be_overlooked(const scheduler::Cluster& cluster, const Pod& asked,
                       const std::vector<const Pod*>& ended);

}  // namespace gpu::diagnose
