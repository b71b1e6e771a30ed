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
  // Of the many pods of a controller one is asked for its owners.
  struct Controlled {
    std::vector<const Pod*>* by_owner = nullptr;
    std::vector<const Pod*>* by_controller = nullptr;
  };
  std::unordered_map<std::string_view, Controlled> known;
  for (const NodeState& node : cluster.nodes()) {
    for (const BoundPod& bound : node.pods) {
      const Pod& pod = *bound.pod;
      const OwnerReference* const controller = controller_of(pod);
      if (controller == nullptr) continue;
      const auto [at, is_new] = known.try_emplace(controller->uid);
      if (is_new || controller->uid.empty()) {
        const Owner owner = top_owner(pod, cluster.snapshot());
        at->second = {.by_owner = &by_owner_[key_of(pod.ns, owner.kind, owner.name)]};
        if (owner.kind == "CronJob")
          at->second.by_controller = &by_owner_[key_of(pod.ns, controller->kind, controller->name)];
      }
      at->second.by_owner->push_back(&pod);
      if (at->second.by_controller != nullptr) at->second.by_controller->push_back(&pod);
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
