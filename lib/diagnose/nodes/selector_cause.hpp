#pragma once

#include "diagnose/nodes/headline_cause.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The cause of a pod whose node selector and node affinity match no node: which label no node has,
/// or that no node has all of them.
Cause selector_cause(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
