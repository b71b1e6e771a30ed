#include "diagnose/lifecycle/known_schedulers.hpp"

#include <algorithm>

#include "scheduler/cluster/owned_pods.hpp"

namespace gpu::diagnose {
namespace {

/// A kubelet starts the pods of its own files, and names the default scheduler in them.
bool is_of_kubelet(const Pod& pod) {
  const OwnerReference* const controller = scheduler::controller_of(pod);
  return controller != nullptr && controller->kind == "Node";
}

}  // namespace

KnownSchedulers::KnownSchedulers(const scheduler::Cluster& cluster) {
  const Snapshot& snapshot = cluster.snapshot();
  names_.insert(snapshot.scheduling.leases.begin(), snapshot.scheduling.leases.end());
  for (const Event& event : snapshot.scheduling.events) names_.insert(event.reporter);
  for (const Pod& pod : snapshot.pods) {
    if (pod.node_name.empty()) continue;
    names_.insert(pod.scheduler_name);
    if (is_of_kubelet(pod)) continue;
    for (const Condition& condition : pod.conditions)
      if (condition.type == "PodScheduled" && condition.last_transition) {
        Time& last =
            bound_.try_emplace(pod.scheduler_name, *condition.last_transition).first->second;
        last = std::max(last, *condition.last_transition);
      }
  }
}

std::optional<Time> KnownSchedulers::last_binding(std::string_view name) const {
  const auto found = bound_.find(name);
  return found == bound_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace gpu::diagnose
