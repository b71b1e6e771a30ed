#pragma once

#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Whether kube-scheduler may not notice that `asked` fits once these pods have ended. It then
/// waits until it tries all unschedulable pods again, 5 minutes at most. Source: the queueing hints
/// of VolumeRestrictions (pods of the same namespace only) and InterPodAffinity (pods that all
/// terms match) of 1.36.
bool may_be_overlooked(const scheduler::Cluster& cluster, const Pod& asked,
                       const std::vector<const Pod*>& ended);

}  // namespace gpu::diagnose
