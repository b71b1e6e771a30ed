#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "admission/kueue/forecast.hpp"
#include "model/snapshot/planned_pod.hpp"

namespace gpu::plan {

/// What Kueue would do with the objects of manifests, one after the other. Refers to all that it
/// is made of.
class QueueAdmission {
 public:
  QueueAdmission(const PlannedObjects& planned, const scheduler::Cluster& cluster);

  /// The LocalQueue that Kueue takes it from: by its label, or the one of its namespace that is
  /// called "default". Empty: none.
  [[nodiscard]] std::string queue_of(const PlannedPod& planned) const;
  /// Whether Kueue makes a Workload of each pod.
  static bool is_queued_alone(const Pod& pod);

  /// All templates of one object, which are admitted together.
  [[nodiscard]] admission::QueueOpinion of_object(std::span<const PlannedPod> templates) const;
  /// Pods of one template that are admitted one by one.
  [[nodiscard]] admission::QueueOpinion one_by_one(const PlannedPod& planned) const;
  /// Those after it find less, and wait behind it where it is the head of a StrictFIFO queue.
  void take(const admission::QueueOpinion& opinion, const PlannedPod& planned);

  /// The pod as Kueue lets it go: with the labels and tolerations of its flavors.
  static PlannedPod placed(const PlannedPod& planned, const admission::GivenPlace& place);

 private:
  [[nodiscard]] QueuedWorkload workload_of(const PlannedPod& planned) const;
  /// Why nothing is said of it; empty: it is judged.
  [[nodiscard]] std::string unjudged(const PlannedPod& planned) const;
  void add_head(admission::QueueOpinion& opinion, const QueuedWorkload& workload) const;

  const scheduler::Cluster& cluster_;
  bool makes_queues_ = false;  ///< the manifests make queues, too
  admission::QueueTaken taken_;
  std::map<std::string, QueuedWorkload> heads_;  ///< by ClusterQueue
};

}  // namespace gpu::plan
