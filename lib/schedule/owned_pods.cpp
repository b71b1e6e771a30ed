#include "schedule/owned_pods.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gpu::schedule {
namespace {

std::string key_of(std::string_view ns, std::string_view kind, std::string_view name) {
  return fmt::format("{}/{}/{}", ns, kind, name);
}

}  // namespace

OwnedPods::OwnedPods(const Cluster& cluster) {
  for (const NodeState& node : cluster.nodes()) {
    for (const BoundPod& bound : node.pods) {
      const Pod& pod = *bound.pod;
      const OwnerReference* const controller = controller_of(pod);
      if (controller == nullptr) continue;
      const Owner owner = top_owner(pod, cluster.snapshot());
      by_owner_[key_of(pod.ns, owner.kind, owner.name)].push_back(&pod);
      if (owner.kind == "CronJob")
        by_owner_[key_of(pod.ns, controller->kind, controller->name)].push_back(&pod);
    }
  }
}

const std::vector<const Pod*>& OwnedPods::of(std::string_view ns, std::string_view kind,
                                             std::string_view name) const {
  static const std::vector<const Pod*> none;
  const auto found = by_owner_.find(key_of(ns, kind, name));
  return found == by_owner_.end() ? none : found->second;
}

const OwnerReference* controller_of(const Pod& pod) {
  const auto found = std::find_if(pod.owners.begin(), pod.owners.end(),
                                  [](const OwnerReference& owner) { return owner.controller; });
  return found == pod.owners.end() ? nullptr : &*found;
}

}  // namespace gpu::schedule
