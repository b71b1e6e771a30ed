#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "kube/manifest_file.hpp"
#include "schedule/planned_queue.hpp"

namespace gpu::cmd {

/// What Kueue would do with the objects of manifests, one after the other. Refers to all that it
/// is made of.
class PlannedAdmission {
 public:
  PlannedAdmission(const kube::PlannedPods& planned, const schedule::Cluster& cluster);

  /// The LocalQueue that Kueue takes it from: by its label, or the one of its namespace that is
  /// called "default". Empty: none.
  [[nodiscard]] std::string queue_of(const kube::PlannedPod& planned) const;
  /// Whether Kueue makes a Workload of each pod.
  static bool is_queued_alone(const Pod& pod);

  /// All templates of one object, which are admitted together.
  [[nodiscard]] schedule::QueueOpinion of_object(std::span<const kube::PlannedPod> templates) const;
  /// Pods of one template that are admitted one by one.
  [[nodiscard]] schedule::QueueOpinion one_by_one(const kube::PlannedPod& planned) const;
  /// Those after it find less, and wait behind it where it is the head of a StrictFIFO queue.
  void take(const schedule::QueueOpinion& opinion, const kube::PlannedPod& planned);

  /// The pod as Kueue lets it go: with the labels and tolerations of its flavors.
  static kube::PlannedPod placed(const kube::PlannedPod& planned,
                                 const schedule::GivenPlace& place);

 private:
  [[nodiscard]] QueuedWorkload workload_of(const kube::PlannedPod& planned) const;
  /// Why nothing is said of it; empty: it is judged.
  [[nodiscard]] std::string unjudged(const kube::PlannedPod& planned) const;
  void add_head(schedule::QueueOpinion& opinion, const QueuedWorkload& workload) const;

  const schedule::Cluster& cluster_;
  bool makes_queues_ = false;  ///< the manifests make queues, too
  schedule::QueueTaken taken_;
  std::map<std::string, QueuedWorkload> heads_;  ///< by ClusterQueue
};

}  // namespace gpu::cmd
