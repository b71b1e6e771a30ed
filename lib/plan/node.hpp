#pragma once

#include <optional>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::plan {

/// The answer for a pod that is not made yet, and whose spec.nodeName binds it: no scheduler ever
/// looks at it, and the kubelet of that node lets it in or not. Nothing for any other.
std::optional<diagnose::Explanation> bound_by_name(const scheduler::Cluster& cluster,
                                                   const Pod& pod,
                                                   const diagnose::ExplainOptions& options);

/// Lets a pod that spec.nodeName binds tolerate what only schedulers look at: cordons and
/// NoSchedule. Others stay as they are.
void bypass_scheduler(Pod& pod);

}  // namespace gpu::plan
