#pragma once

#include <optional>

#include "schedule/explain.hpp"

namespace gpu::schedule {

/// The answer for a pod that is not made yet, and whose spec.nodeName binds it: no scheduler ever
/// looks at it, and the kubelet of that node lets it in or not. Nothing for any other.
std::optional<Explanation> bound_by_name(const Cluster& cluster, const Pod& pod,
                                         const ExplainOptions& options);

/// Lets a pod that spec.nodeName binds tolerate what only schedulers look at: cordons and
/// NoSchedule. Others stay as they are.
void bypass_scheduler(Pod& pod);

}  // namespace gpu::schedule
