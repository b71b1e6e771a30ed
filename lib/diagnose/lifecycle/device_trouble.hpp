#pragma once

#include <string>

#include "diagnose/lifecycle/trouble.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Of a bound pod whose kubelet cannot prepare the devices of its claims, which it tries again and
/// again: what a driver that is not registered lacks on the node. `message` is that of the event
/// FailedPrepareDynamicResources.
Trouble device_trouble(const scheduler::Cluster& cluster, const Pod& pod,
                       const std::string& message);

}  // namespace gpu::diagnose
