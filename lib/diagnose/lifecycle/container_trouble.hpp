#pragma once

#include <optional>

#include "diagnose/lifecycle/trouble.hpp"
#include "model/objects/pod.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// A container of a bound pod that does not do its work, by the kubelet's status of it: its image
/// cannot be pulled, it cannot be created or started, or it ends again and again. Init containers
/// first. The phase does not tell: a container that cannot start makes its pod Running, or Failed
/// where it is not to be restarted.
std::optional<Trouble> container_trouble(const scheduler::Cluster& cluster, const Pod& pod);

/// Whether a container of the pod is such, from its status alone: what -A looks at.
bool has_container_trouble(const Pod& pod);

}  // namespace gpu::diagnose
