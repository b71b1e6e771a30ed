#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "schedule/kueue.hpp"

namespace gpu::schedule {

/// What is planned takes of ClusterQueues: by queue, flavor and resource, as compared_amount() has
/// it.
using QueueTaken = std::map<std::tuple<std::string, std::string, std::string>, std::int64_t>;
void add_taken(QueueTaken& all, const QueueTaken& more);

/// What Kueue would do with a workload that is not made yet.
struct QueueOpinion {
  std::optional<QueueHold> hold;  ///< nothing: it would be admitted, as far as could be checked
  std::vector<Remark> remarks;
  std::vector<std::string> not_checked;
  /// false: a cohort may lend less than its queues have, or have more of its own.
  bool is_sure = true;
  QueueTaken takes;  ///< where it would be admitted
};

/// By its queue, who waits before it, and the quota that is free: of each set of pods the first
/// flavor that has enough, as Kueue goes through them. `planned` has no conditions; `before` is
/// what others that are planned take.
QueueOpinion queue_opinion(const Cluster& cluster, const QueuedWorkload& planned,
                           const QueueTaken& before = {});

/// Puts it into the answer for a pod of that workload: what holds a workload back is the reason,
/// and what the scheduler would say comes after it.
void add_queue_opinion(Explanation& answer, const QueueOpinion& opinion);

}  // namespace gpu::schedule
