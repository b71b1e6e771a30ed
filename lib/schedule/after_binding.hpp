#pragma once

#include "schedule/explain.hpp"

namespace gpu::schedule {

/// What keeps a bound pod from running: the kubelet refused it, its image, its volumes, its
/// runtime; or nothing, it starts, runs or has finished (not blocked).
Explanation after_binding(const Cluster& cluster, const Pod& pod, const ExplainOptions& options);

}  // namespace gpu::schedule
