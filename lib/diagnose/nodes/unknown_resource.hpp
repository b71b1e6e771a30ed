#pragma once

#include <optional>

#include "diagnose/nodes/headline_cause.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The cause of a pod that asks for an extended resource that no node has, and no DeviceClass
/// serves: it is misspelt, renamed, cut into slices, or its device plugin never registered.
std::optional<Cause> unknown_resource(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
