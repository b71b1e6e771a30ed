#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::scheduler {

/// Volumes that a pod's earlier claims took on a node, by name.
using ChosenVolumes = std::set<std::string_view>;

/// The PersistentVolume that the scheduler would bind `claim` to on `node`: the one that is
/// reserved for it, otherwise the smallest that is large enough; null if there is none. Source:
/// FindMatchingVolume of k8s.io/component-helpers/storage/volume 1.36.
const PersistentVolume* matching_volume(const Cluster& cluster, const PersistentVolumeClaim& claim,
                                        const Node& node, const ChosenVolumes& chosen);

}  // namespace gpu::scheduler
