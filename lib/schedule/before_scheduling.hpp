#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "schedule/explain.hpp"
#include "schedule/kueue.hpp"

namespace gpu::schedule {

/// Why the scheduler does not look at the pod: gates, a queue that has not admitted it, a scheduler
/// that does not run. Nothing where it does. Fills code, summary, advice, remarks.
std::optional<Explanation> before_scheduling(const Cluster& cluster, const Pod& pod,
                                             const ExplainOptions& options);

/// The answer for an object that has no pods, before anything is said of it.
Explanation unmade(std::string_view ns, const Owner& owner);

/// The same for one that Kueue holds back.
Explanation held_back(const QueuedWorkload& workload, const Owner& owner, QueueHold&& hold,
                      const ExplainOptions& options);

/// The same for what Kueue has let go and has no pods: it comes to have them, or had them.
std::optional<Explanation> let_go(const Cluster& cluster, const QueuedWorkload& workload,
                                  const Owner& owner);

/// The Jobs and other workloads that Kueue holds back and that have no pods yet, in namespace `ns`,
/// or everywhere where that is empty; those that wait longest first.
std::vector<Explanation> held_without_pods(const Cluster& cluster, std::string_view ns,
                                           const ExplainOptions& options);

}  // namespace gpu::schedule
