#pragma once

#include <optional>

#include "diagnose/lifecycle/trouble.hpp"
#include "model/objects/pod.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// A container of a bound pod that does not work, by the status that the kubelet reports: its image
/// cannot be pulled, it cannot be created or started, or it exits again and again. Init containers
/// first. The pod's phase is no sign of it: a pod whose container cannot start is Running, or
/// Failed if the container is not to be restarted.
std::optional<Trouble> container_trouble(const scheduler::Cluster& cluster, const Pod& pod);

/// Whether the pod has such a container, from its status alone; for -A.
bool has_container_trouble(const Pod& pod);

}  // namespace gpu::diagnose
