#pragma once

#include <optional>

#include "diagnose/nodes/headline_cause.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The cause for a pod that requests an extended resource that no node has and no DeviceClass
/// serves: the name is misspelled or was renamed, the GPUs are divided into MIG slices, or the
/// device plugin never registered.
std::optional<Cause> unknown_resource(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
