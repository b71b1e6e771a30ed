#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/kueue.hpp"

namespace gpu::schedule {

/// What Kueue would do with a workload that is not made yet.
struct QueueOpinion {
  std::optional<QueueHold> hold;  ///< nothing: it would be admitted, as far as could be checked
  std::vector<Remark> remarks;
  std::vector<std::string> not_checked;
};

/// By its queue, who waits before it, and the quota that is free: of each set of pods the first
/// flavor that has enough, as Kueue goes through them. `planned` has no conditions.
QueueOpinion queue_opinion(const Cluster& cluster, const QueuedWorkload& planned);

/// Puts it into the answer for a pod of that workload: what holds a workload back is the reason,
/// and what the scheduler would say comes after it.
void add_queue_opinion(Explanation& answer, const QueueOpinion& opinion);

}  // namespace gpu::schedule
