#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "model/objects/queue.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::admission {

/// How Kueue holds a workload back: it refuses quota or the queue is closed, or it looks at others
/// first.
enum class HoldKind : std::uint8_t { refused, passed_over };

/// Why Kueue holds a workload back, and what would help. Nothing once it is admitted.
struct QueueHold {
  HoldKind kind = HoldKind::refused;
  std::string reason;
  std::string nearest;
  std::vector<diagnose::Remark> remarks = {};
  std::vector<diagnose::Advice> advice = {};
  std::vector<std::string> not_checked = {};
  std::vector<diagnose::Fix> fixes = {};  ///< tested against the quota
  /// It asks for more than its queue can ever give: `advice` is ask_for_less().
  bool exceeds_queue = false;
};

/// The headline of a workload that is held back: "Kueue does not look at it: REASON", or the reason
/// alone.
std::string text_of(const QueueHold& hold);
/// The same of one that does not exist yet: "Kueue would hold it back: REASON".
std::string text_if_created(const QueueHold& hold, diagnose::Certainty certainty);

/// What helps a workload that asks for more than its queue has; not `sure`: a cohort may have more.
diagnose::Advice ask_for_less(diagnose::Certainty certainty);

std::optional<QueueHold> queue_hold(const scheduler::Cluster& cluster,
                                    const QueuedWorkload& workload);
/// What keeps Kueue from looking at a workload, whatever it asks for: its queue or the ClusterQueue
/// behind that does not exist or is stopped, or another stands before it in a StrictFIFO queue.
std::optional<QueueHold> hold_before_quota(const scheduler::Cluster& cluster,
                                           const QueuedWorkload& workload);

/// One that Kueue does not look at, because `head` stands before it in a StrictFIFO ClusterQueue.
QueueHold held_behind(const QueuedWorkload& head, const std::string& queue);

/// The Workload that stands for an object (a Job, a pod), by its uid or, where that is unknown, by
/// kind and name. Null where there is none.
const QueuedWorkload* workload_of(const scheduler::Cluster& cluster, std::string_view ns,
                                  std::string_view kind, std::string_view name,
                                  std::string_view uid);
/// The same for a pod or whoever controls it.
const QueuedWorkload* workload_of(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::admission
