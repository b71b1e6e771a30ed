#include "plan/moves/movable.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "model/objects/own_kind.hpp"
#include "model/snapshot/gpu_fraction.hpp"
#include "scheduler/cluster/owned_pods.hpp"

namespace gpu::plan {
namespace {

bool is_guarded_by(const DisruptionBudget& budget, const Pod& pod) {
  return budget.ns == pod.ns && budget.selector && matches(*budget.selector, pod.labels);
}

bool is_of_other_scheduler(const Pod& pod) {
  return !pod.scheduler_name.empty() && pod.scheduler_name != "default-scheduler";
}

/// What cluster-autoscaler and Karpenter keep to.
bool forbids_eviction(const Pod& pod) {
  const std::string_view do_not_disrupt = value_of(pod.annotations, "karpenter.sh/do-not-disrupt");
  return value_of(pod.annotations, "cluster-autoscaler.kubernetes.io/safe-to-evict") == "false" ||
         (!do_not_disrupt.empty() && do_not_disrupt != "false");
}

/// Of kinds whose controllers restart all pods when one is lost, or whose scheduler starts them
/// together.
bool has_group(const Pod& pod) {
  static constexpr std::array<std::string_view, 5> kLabels = {
      "leaderworkerset.sigs.k8s.io/name", "jobset.sigs.k8s.io/jobset-name",
      "training.kubeflow.org/job-name", "scheduling.x-k8s.io/pod-group",
      "pod-group.scheduling.sigs.k8s.io"};
  return !pod.pod_group.empty() || pod.annotations.contains("scheduling.k8s.io/group-name") ||
         pod.annotations.contains("pod-group-name") ||
         std::any_of(kLabels.begin(), kLabels.end(),
                     [&](std::string_view label) { return pod.labels.contains(label); });
}

bool recreates(const OwnerReference& owner) {
  static constexpr std::array<std::string_view, 4> kKinds = {"ReplicaSet", "ReplicationController",
                                                             "StatefulSet", "Job"};
  return std::find(kKinds.begin(), kKinds.end(), owner.kind) != kKinds.end();
}

}  // namespace

std::string_view text_of(Stays stays) {
  static constexpr std::array<std::string_view, kStays> kTexts = {
      "no controller would create it again",
      "whether its controller creates it again is not known",
      "it belongs to the node: a DaemonSet's pod, or a static one",
      "it has a higher priority than the pod that the room is for",
      "its PodDisruptionBudget allows no disruption now",
      "it is being deleted already",
      "its Job would not run it again, as far as is known",
      "it has another scheduler, and where that puts it is not known",
      "it holds devices of claims or parts of cards, which is not modelled",
      "Kueue would have to admit it again",
      "an annotation forbids to evict it (safe-to-evict, do-not-disrupt)",
      "all pods of its group would start over with it",
      "its volume is a disk or a folder of its node",
      "it fits on no other node",
  };
  return kTexts[static_cast<std::size_t>(stays)];
}

/// A pod that is deleted counts as one that failed. Where each index has a limit of its own, the
/// one of the Job is the largest number there is, and says nothing.
std::optional<std::int64_t> Movability::retries_of(const Pod& pod) const {
  constexpr std::int64_t kOfEachIndex = std::numeric_limits<std::int32_t>::max();
  const OwnerReference* const owner = scheduler::controller_of(pod);
  if (owner == nullptr || owner->kind != "Job") return std::nullopt;
  for (const Job& each : snapshot_.scheduling.jobs) {
    if (each.ns != pod.ns || each.name != owner->name) continue;
    const bool runs = !each.has_failed && !each.completed && !each.is_suspended &&
                      each.parallelism > 0 && !each.lacks_counts;
    if (!runs || !each.backoff_limit || *each.backoff_limit >= kOfEachIndex) return 0;
    return std::max<std::int64_t>(0, *each.backoff_limit - each.failed - each.uncounted);
  }
  return 0;
}

/// Volumes of the kinds local and hostPath.
bool Movability::has_node_data(const Pod& pod) const {
  const SchedulingFacts& facts = snapshot_.scheduling;
  return std::any_of(pod.volumes.begin(), pod.volumes.end(), [&](const PodVolume& each) {
    return std::any_of(facts.volumes.begin(), facts.volumes.end(), [&](const auto& volume) {
      return !each.claim.empty() && volume.claim_ns == pod.ns && volume.claim_name == each.claim &&
             (volume.legacy_driver == "local" || volume.legacy_driver == "hostPath");
    });
  });
}

const DisruptionBudget* Movability::budget_of(const Pod& pod) const {
  const DisruptionBudget* found = nullptr;
  for (const DisruptionBudget& each : snapshot_.scheduling.disruption_budgets)
    if (is_guarded_by(each, pod) &&
        (found == nullptr || each.disruptions_allowed < found->disruptions_allowed))
      found = &each;
  return found;
}

std::optional<Stays> Movability::stays(const Pod& pod) const {
  const OwnerReference* const owner = scheduler::controller_of(pod);
  if (pod.deleted) return Stays::leaving;
  if (owner == nullptr) return Stays::no_controller;
  if (is_own(*owner, "DaemonSet") || is_own(*owner, "Node")) return Stays::daemon;
  if (pod.priority.value_or(0) > priority_) return Stays::higher_priority;
  if (forbids_eviction(pod)) return Stays::annotation;
  if (has_group(pod)) return Stays::group;
  if (is_of_other_scheduler(pod)) return Stays::other_scheduler;
  if (!pod.claim_slots.empty() || gpu_fraction(pod) || !pod.card_shares.empty())
    return Stays::devices;
  if (pod.labels.contains("kueue.x-k8s.io/managed") ||
      pod.labels.contains("kueue.x-k8s.io/queue-name"))
    return Stays::queue;
  if (!recreates(*owner)) return Stays::unknown_controller;
  if (has_node_data(pod)) return Stays::node_data;
  if (retries_of(pod) == 0) return Stays::no_retries;
  if (const DisruptionBudget* const budget = budget_of(pod);
      budget != nullptr && budget->disruptions_allowed < 1)
    return Stays::budget;
  return std::nullopt;
}

Pod created_again(const Pod& pod, const scheduler::Cluster& cluster) {
  Pod copy = pod;
  // 1.36 writes the zone and region of its node into a pod's labels.
  if (const auto node = cluster.node_named(pod.node_name))
    for (const std::string_view key :
         {"topology.kubernetes.io/zone", "topology.kubernetes.io/region"}) {
      const std::string* const of_node = cluster.nodes()[*node].node->labels.find(key);
      const std::string* const of_pod = copy.labels.find(key);
      if (of_node != nullptr && of_pod != nullptr && *of_node == *of_pod) {
        StringMap others;
        for (const auto& [name, value] : copy.labels)
          if (name != key) others.set(name, value);
        copy.labels = std::move(others);
      }
    }
  copy.node_name.clear();
  copy.nominated_node.clear();
  copy.name += "~again";
  copy.uid += "~again";
  copy.phase = "Pending";
  copy.conditions.clear();
  copy.container_statuses.clear();
  copy.init_container_statuses.clear();
  copy.allocated = {};
  copy.resized_requests.reset();
  copy.resize.clear();
  copy.started.reset();
  return copy;
}

}  // namespace gpu::plan
