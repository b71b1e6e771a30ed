#include "diagnose/lifecycle/known_schedulers.hpp"

#include <algorithm>

#include "model/objects/own_kind.hpp"
#include "scheduler/cluster/owned_pods.hpp"

namespace gpu::diagnose {
namespace {

/// A kubelet starts the pods of its own files, and names the default scheduler in them.
bool is_of_kubelet(const Pod& pod) {
  const OwnerReference* const controller = scheduler::controller_of(pod);
  return controller != nullptr && is_own(*controller, "Node");
}

}  // namespace

KnownSchedulers::KnownSchedulers(const scheduler::Cluster& cluster) {
  const Snapshot& snapshot = cluster.snapshot();
  names_.insert(snapshot.scheduling.leases.begin(), snapshot.scheduling.leases.end());
  for (const Event& event : snapshot.scheduling.events) names_.insert(event.reporter);
  for (const Pod& pod : snapshot.pods) {
    if (pod.node_name.empty()) continue;
    if (pod.phase == "Running" && pod.name.find("scheduler") != std::string::npos)
      own_pods_.push_back(pod.name);
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

bool KnownSchedulers::contains(std::string_view name) const {
  if (names_.contains(name)) return true;
  // "kai-scheduler-default-6b7d9f8c4-9wz2k": the name of its Deployment begins with its own.
  return std::any_of(own_pods_.begin(), own_pods_.end(), [&](std::string_view pod) {
    return pod.starts_with(name) && pod.substr(name.size()).starts_with('-');
  });
}

std::optional<Time> KnownSchedulers::last_binding(std::string_view name) const {
  const auto found = bound_.find(name);
  return found == bound_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace gpu::diagnose
