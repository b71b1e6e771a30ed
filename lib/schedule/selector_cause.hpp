#pragma once

#include "schedule/cause.hpp"

namespace gpu::schedule {

/// Of a pod whose node selector and node affinity leave no node: which label no node has, or that
/// none has all of them.
Cause selector_cause(const Cluster& cluster, const Pod& pod);

}  // namespace gpu::schedule
