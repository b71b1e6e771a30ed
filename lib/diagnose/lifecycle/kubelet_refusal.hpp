#pragma once

#include <optional>

#include "diagnose/lifecycle/trouble.hpp"
#include "model/objects/pod.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Why the kubelet of its node rejected a pod, and what helps, by what it rejected: devices, CPU,
/// memory, pods, a NUMA node. Nothing if it did not. A rejected pod stays Failed. Source:
/// pkg/kubelet/lifecycle/predicate.go, pkg/kubelet/cm/devicemanager/manager.go.
std::optional<Trouble> kubelet_refusal(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
