#pragma once

#include <optional>

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// For a pod that fits on no node: that the scheduler may evict pods of lower priority and has not
/// done so while the pod waits, or that only the pod's own preemptionPolicy prevents it. Nothing if
/// that would make no room, or if it is under way. `answer` has the predicted message, and how long
/// the pod has waited.
std::optional<Remark> preemption_note(const scheduler::Cluster& cluster, const Pod& pod,
                                      const scheduler::Verdict& verdict, const Explanation& answer);

}  // namespace gpu::diagnose
