#pragma once

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// What keeps a bound pod from running: the kubelet refused it, its image, its volumes, its
/// runtime; or nothing, it starts, runs or has finished (not blocked).
Explanation after_binding(const scheduler::Cluster& cluster, const Pod& pod,
                          const ExplainOptions& options);

}  // namespace gpu::diagnose
