#include "diagnose/explain/waiting_pods.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>

#include "diagnose/lifecycle/container_trouble.hpp"
#include "model/holdings/holding.hpp"

namespace gpu::diagnose {
namespace {

/// A container that cannot start makes its pod Running, see container_trouble().
bool may_wait(const Pod& pod) {
  if (pod.deleted) return false;
  if (pod.phase == "Failed") return failed_before_start(pod);
  if (pod.phase == "Running") return is_gpu_pod(pod) && has_container_trouble(pod);
  return pod.phase.empty() || pod.phase == "Pending";
}

/// Of one controller.
struct ControlledPodsSeen {
  std::int64_t live = 0;
  std::vector<const Pod*> failed;
};

std::optional<std::int64_t> wanted_by(const Snapshot& snapshot, std::string_view uid) {
  const auto known = snapshot.controlled.find(uid);
  return known == snapshot.controlled.end() ? std::nullopt : known->second.wanted;
}

}  // namespace

ReplacedPods::ReplacedPods(const Snapshot& snapshot) {
  std::map<std::string_view, ControlledPodsSeen> by_controller;
  for (const Pod& pod : snapshot.pods) {
    const OwnerReference* const controller = controller_of(pod);
    if (controller == nullptr || pod.deleted) continue;
    if (failed_before_start(pod))
      by_controller[controller->uid].failed.push_back(&pod);
    else if (!is_finished(pod))
      ++by_controller[controller->uid].live;
  }
  for (auto& [uid, pods] : by_controller) {
    const std::int64_t missing =
        pods_to_replace(pods.live, std::ssize(pods.failed), wanted_by(snapshot, uid));
    // The newest stand for those that are missing.
    std::stable_sort(pods.failed.begin(), pods.failed.end(),
                     [](const Pod* a, const Pod* b) { return a->created > b->created; });
    replaced_.insert(pods.failed.begin() + missing, pods.failed.end());
  }
}

std::vector<const Pod*> waiting_pods(const Snapshot& snapshot, std::string_view ns) {
  const ReplacedPods replaced(snapshot);
  std::vector<const Pod*> waiting;
  for (const Pod& pod : snapshot.pods) {
    if (!may_wait(pod) || (!ns.empty() && pod.ns != ns)) continue;
    if (replaced.has(pod)) continue;
    waiting.push_back(&pod);
  }
  std::stable_sort(waiting.begin(), waiting.end(), [](const Pod* a, const Pod* b) {
    const auto rank = [](const Pod* pod) {
      return std::tuple(std::string_view(pod->ns), pod->created.value_or(Time::max()));
    };
    return rank(a) < rank(b);
  });
  return waiting;
}

}  // namespace gpu::diagnose
