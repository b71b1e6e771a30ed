#pragma once

#include <optional>

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// What the scheduler may do, and has not done while the pod waits, for a pod that fits on no node:
/// end pods of lower priority; or that only the pod's own preemptionPolicy keeps it from that.
/// Nothing where that would make no room, or where it is under way. `answer` has the message that
/// is predicted, and for how long the pod waits.
std::optional<Remark> preemption_note(const scheduler::Cluster& cluster, const Pod& pod,
                                      const scheduler::Verdict& verdict, const Explanation& answer);

}  // namespace gpu::diagnose
