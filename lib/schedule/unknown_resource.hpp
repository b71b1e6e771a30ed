#pragma once

#include <optional>

#include "schedule/cause.hpp"
#include "schedule/cluster.hpp"

namespace gpu::schedule {

/// The cause of a pod that asks for an extended resource that no node has, and no DeviceClass
/// serves: it is misspelt, renamed, cut into slices, or its device plugin never registered.
std::optional<Cause> unknown_resource(const Cluster& cluster, const Pod& pod);

}  // namespace gpu::schedule
