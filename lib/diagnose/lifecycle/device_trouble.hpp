#pragma once

#include <string>

#include "diagnose/lifecycle/trouble.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// For a bound pod whose kubelet tries again and again to prepare the devices of its claims: what
/// helps, and, if a driver is not registered on the node, what it lacks. `message` is that of the
/// event FailedPrepareDynamicResources.
Trouble device_trouble(const scheduler::Cluster& cluster, const Pod& pod,
                       const std::string& message);

}  // namespace gpu::diagnose
