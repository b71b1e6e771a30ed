#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "schedule/explain.hpp"

namespace gpu::schedule {

/// Why the scheduler does not look at the pod: gates, a queue that has not admitted it, a scheduler
/// that does not run. Nothing where it does. Fills code, summary, advice, remarks.
std::optional<Explanation> before_scheduling(const Cluster& cluster, const Pod& pod,
                                             const ExplainOptions& options);

/// Why a workload has no pods, or too few: quota, LimitRange, admission, by its FailedCreate
/// events; a Job that is suspended, by a queue or by hand. `owner` by kind, name and uid.
std::optional<Explanation> never_created(const Cluster& cluster, std::string_view ns,
                                         const Owner& owner, const ExplainOptions& options);

/// The Jobs and other workloads that Kueue holds back and that have no pods yet, in namespace `ns`,
/// or everywhere where that is empty; those that wait longest first.
std::vector<Explanation> held_without_pods(const Cluster& cluster, std::string_view ns,
                                           const ExplainOptions& options);

}  // namespace gpu::schedule
