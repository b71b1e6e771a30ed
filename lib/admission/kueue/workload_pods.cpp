#include "admission/kueue/workload_pods.hpp"

#include <algorithm>
#include <array>

#include "diagnose/answer/patience.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::admission {
namespace {

/// A kind, and what its controller makes between it and its pods. Kinds that are not here may make
/// anything: an AppWrapper makes what it is given.
struct Makes {
  std::string_view kind;
  std::array<std::string_view, 2> between = {};
};

// Source: what the controllers of these kinds set as ownerReferences.
constexpr auto kMakes = std::to_array<Makes>({
    {"Pod"},
    {"Job"},
    {"ReplicaSet"},
    {"StatefulSet"},
    {"RayCluster"},
    {"PyTorchJob"},
    {"TFJob"},
    {"XGBoostJob"},
    {"PaddleJob"},
    {"JAXJob"},
    {"MXJob"},
    {"Workflow"},
    {"Deployment", {"ReplicaSet"}},
    {"JobSet", {"Job"}},
    {"MPIJob", {"Job"}},
    {"TrainJob", {"JobSet", "Job"}},
    {"RayJob", {"RayCluster", "Job"}},
    {"RayService", {"RayCluster"}},
    {"LeaderWorkerSet", {"StatefulSet", "Pod"}},
    {"SparkApplication", {"Pod"}},
});

const Makes* makes_of(std::string_view kind) {
  const auto* const found = std::find_if(kMakes.begin(), kMakes.end(),
                                         [&](const Makes& each) { return each.kind == kind; });
  return found == kMakes.end() ? nullptr : found;
}

/// A pod that has just ended may be about to be replaced, as a Job does it after a while.
bool has_just_ended(const Pod& pod, const std::optional<Time>& now) {
  std::optional<Time> newest;
  for (const Condition& each : pod.conditions) newest = std::max(newest, each.last_transition);
  return now && newest && *now - *newest <= diagnose::patience_for(diagnose::WaitFor::quota_holder);
}

bool is_live(const Pod& pod, const std::optional<Time>& now) {
  return !is_finished(pod) || has_just_ended(pod, now);
}

/// "train-worker-0" of "train": never the start of a name alone.
bool is_named_after(std::string_view name, std::string_view owner) {
  return !owner.empty() && name.starts_with(owner) &&
         (name.size() == owner.size() || name[owner.size()] == '-');
}

/// By names: they may be right, and prove nothing where they are not.
bool seems_to_be_of(const Pod& pod, const OwnerReference& owner) {
  return is_named_after(pod.name, owner.name) ||
         std::any_of(
             pod.owners.begin(), pod.owners.end(),
             [&](const OwnerReference& each) { return is_named_after(each.name, owner.name); }) ||
         std::any_of(pod.labels.begin(), pod.labels.end(),
                     [&](const auto& label) { return is_named_after(label.second, owner.name); });
}

}  // namespace

WorkloadPods::WorkloadPods(const scheduler::Cluster& cluster) {
  const Snapshot& snapshot = cluster.snapshot();
  for (const Pod& pod : snapshot.pods)
    if (is_live(pod, snapshot.taken_at)) add(pod, snapshot);
  for (const WorkloadObject& object : snapshot.scheduling.queue_owners)
    owners_.emplace(object.uid, &object);
}

void WorkloadPods::add(const Pod& pod, const Snapshot& snapshot) {
  constexpr int kMostSteps = 8;
  live_[pod.ns].push_back(&pod);
  in_chains_.insert(pod.uid);
  for (const OwnerReference& each : pod.owners) in_chains_.insert(each.uid);
  const auto controller = std::find_if(pod.owners.begin(), pod.owners.end(),
                                       [](const OwnerReference& each) { return each.controller; });
  const OwnerReference* above = controller == pod.owners.end() ? nullptr : &*controller;
  for (int step = 0; above != nullptr && step < kMostSteps; ++step) {
    in_chains_.insert(above->uid);
    const auto read = snapshot.controllers.find(above->uid);
    if (read == snapshot.controllers.end()) {
      unread_[pod.ns].insert(above->kind);
      return;
    }
    above = read->second ? &*read->second : nullptr;
  }
}

SeenPods WorkloadPods::of(const QueuedWorkload& workload) const {
  SeenPods all{.state = workload.owners.empty() ? HasPods::unknown : HasPods::no};
  for (const OwnerReference& owner : workload.owners) {
    SeenPods seen = of(workload, owner);
    if (seen.state == HasPods::yes) return seen;
    if (seen.state == HasPods::unknown) all = std::move(seen);
  }
  return all;
}

SeenPods WorkloadPods::of(const QueuedWorkload& workload, const OwnerReference& owner) const {
  if (!owner.uid.empty() && in_chains_.contains(owner.uid)) return {.state = HasPods::yes};
  const auto live = live_.find(workload.ns);
  if (live == live_.end() && !owner.uid.empty() && makes_of(owner.kind) != nullptr)
    return {.state = HasPods::no};
  if (live != live_.end() &&
      std::any_of(live->second.begin(), live->second.end(),
                  [&](const Pod* pod) { return seems_to_be_of(*pod, owner); }))
    return {.state = HasPods::yes};
  const Makes* const makes = makes_of(owner.kind);
  if (makes == nullptr || owner.uid.empty()) return {};
  const auto unread = unread_.find(workload.ns);
  if (unread == unread_.end()) return {.state = HasPods::no};
  for (const std::string_view kind : makes->between)
    if (!kind.empty() && unread->second.contains(kind))
      return {.state = HasPods::unknown, .unread = std::string(kind)};
  return {.state = HasPods::no};
}

const WorkloadObject* WorkloadPods::owner_of(const QueuedWorkload& workload) const {
  if (workload.owners.size() != 1) return nullptr;
  const auto found = owners_.find(workload.owners.front().uid);
  return found == owners_.end() ? nullptr : found->second;
}

std::optional<WorkloadEnd> WorkloadPods::end_of(const QueuedWorkload& workload) const {
  const WorkloadObject* const owner = owner_of(workload);
  return owner == nullptr ? std::nullopt : gpu::end_of(*owner);
}

bool WorkloadPods::is_owner_read(const QueuedWorkload& workload) const {
  return owner_of(workload) != nullptr;
}

}  // namespace gpu::admission
