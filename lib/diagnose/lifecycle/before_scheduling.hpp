#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "admission/kueue/workload.hpp"
#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Why the scheduler ignores the pod: gates, a queue that has not admitted it, a scheduler that
/// does not run. Fills in code, summary, advice, remarks. Nothing if the scheduler considers the
/// pod.
std::optional<Explanation> before_scheduling(const scheduler::Cluster& cluster, const Pod& pod,
                                             const ExplainOptions& options);

/// The empty answer for an object that has no pods: its identity only.
Explanation answer_for_owner(std::string_view ns, const Owner& owner);

/// The same for one that Kueue holds back.
Explanation suspended_by_queue(const QueuedWorkload& workload, const Owner& owner,
                               admission::QueueHold&& hold, const ExplainOptions& options);

/// The same for a workload that Kueue has admitted and that has no pods: they are not created yet,
/// or are gone. Nothing if it has pods.
std::optional<Explanation> admitted_without_pods(const scheduler::Cluster& cluster,
                                                 const QueuedWorkload& workload,
                                                 const Owner& owner);

/// The Jobs and other workloads that Kueue holds back and that have no pods yet, in namespace `ns`,
/// or everywhere where that is empty; those that wait longest first.
std::vector<Explanation> held_without_pods(const scheduler::Cluster& cluster, std::string_view ns,
                                           const ExplainOptions& options);

}  // namespace gpu::diagnose
