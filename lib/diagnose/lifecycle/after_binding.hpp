#pragma once

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Why a bound pod does not run: the kubelet rejected it, or its image, its volumes or its runtime
/// fail. A pod that starts, runs or has finished is not blocked.
Explanation after_binding(const scheduler::Cluster& cluster, const Pod& pod,
                          const ExplainOptions& options);

}  // namespace gpu::diagnose
