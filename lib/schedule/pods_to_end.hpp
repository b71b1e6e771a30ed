#pragma once

#include <set>
#include <string>
#include <vector>

#include "schedule/cluster.hpp"
#include "schedule/node_reason.hpp"

namespace gpu::schedule {

/// The pods of a node whose end would give the pod what is short there: idle ones first, then those
/// of lower priority, then fewest. Empty where no set of at most 8 does. Pods of DaemonSets, static
/// pods and the cluster's own (kube-system) are left alone.
std::vector<const BoundPod*> pods_to_end(const Cluster& cluster, const Pod& pod, std::size_t node,
                                         const NodeReasons& reasons,
                                         const std::set<std::string>& idle_pods);

}  // namespace gpu::schedule
