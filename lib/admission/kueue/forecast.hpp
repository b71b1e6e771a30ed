#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "admission/kueue/assignment.hpp"
#include "admission/kueue/quota_tree.hpp"
#include "admission/kueue/workload.hpp"

namespace gpu::admission {

void add_taken(QueueTaken& all, const QueueTaken& more);

/// What Kueue would do with a workload that is not made yet.
struct QueueOpinion {
  std::optional<QueueHold> hold;  ///< nothing: it would be admitted, as far as could be checked
  std::vector<diagnose::Remark> remarks;
  std::vector<std::string> not_checked;
  /// false: its cohort may have quota of its own, or be one of a larger one: it was not read.
  bool is_sure = true;
  QueueTaken takes;  ///< where it would be admitted
  /// Of each set of its pods, or of each pod: where Kueue sends them; of what it holds back, as far
  /// as only one flavor serves them.
  std::vector<GivenPlace> given;
  std::int64_t admitted = 0;  ///< of pods that are admitted one by one
  std::string cluster_queue;  ///< empty: it did not come that far
  bool is_head = false;       ///< nothing that comes after it to its queue is looked at
};

/// By its queue, who waits before it, whether that is open to the namespace, and the quota that is
/// free: of each set of pods the first flavor of its nodes that has enough, as Kueue goes through
/// them. `planned` has no conditions; `before` is
/// what others that are planned take.
QueueOpinion queue_opinion(const scheduler::Cluster& cluster, const QueuedWorkload& planned,
                           const QueueTaken& before = {});

/// The same for `count` workloads alike, one after the other, up to the first that is held back.
/// `planned` has one set of pods, with a count of 1.
QueueOpinion each_queue_opinion(const scheduler::Cluster& cluster, const QueuedWorkload& planned,
                                std::int64_t count, const QueueTaken& before = {});

/// Puts it into the answer for a pod of that workload: what holds a workload back is the reason,
/// and what the scheduler would say comes after it.
void add_queue_opinion(diagnose::Explanation& answer, const QueueOpinion& opinion);

}  // namespace gpu::admission
