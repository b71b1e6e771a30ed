#pragma once

#include <optional>

#include "schedule/cluster.hpp"
#include "schedule/explanation.hpp"
#include "schedule/verdict.hpp"

namespace gpu::schedule {

/// What the scheduler may do, and has not done while the pod waits, for a pod that fits on no node:
/// end pods of lower priority; or that only the pod's own preemptionPolicy keeps it from that.
/// Nothing where that would make no room, or where it is under way. `answer` has the message that
/// is predicted, and for how long the pod waits.
std::optional<Remark> preemption_note(const Cluster& cluster, const Pod& pod,
                                      const Verdict& verdict, const Explanation& answer);

}  // namespace gpu::schedule
