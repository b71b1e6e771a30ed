#pragma once

#include "diagnose/nodes/headline_cause.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Of a pod whose node selector and node affinity leave no node: which label no node has, or that
/// none has all of them.
Cause selector_cause(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
