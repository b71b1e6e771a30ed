#include "model/snapshot/failed_pods.hpp"

#include <algorithm>
#include <iterator>

#include "base/quantity.hpp"
#include "model/objects/start_failure.hpp"

namespace gpu {

bool failed_before_start(const Pod& pod) {
  if (pod.phase != "Failed") return false;
  const auto could_not_start = [](const ContainerResourceStatus& container) {
    return container.waiting.empty() && is_start_failure(container.terminated);
  };
  return is_refused_by_kubelet(pod) ||
         std::ranges::any_of(pod.init_container_statuses, could_not_start) ||
         std::ranges::any_of(pod.container_statuses, could_not_start);
}

const OwnerReference* controller_of(const Pod& pod) {
  const auto found = std::ranges::find_if(
      pod.owners, [](const OwnerReference& owner) { return owner.controller; });
  return found == pod.owners.end() ? nullptr : &*found;
}

std::int64_t pods_to_replace(std::int64_t live, std::int64_t failed,
                             const std::optional<std::int64_t>& wanted) {
  const std::int64_t lacks = wanted ? *wanted - live : std::int64_t{live == 0};
  return std::clamp<std::int64_t>(lacks, 0, failed);
}

WaitingSums waiting_for_replacement(const ControlledPodsByUid& pods) {
  WaitingSums sums;
  for (const auto& [uid, each] : pods) {
    const std::int64_t missing = pods_to_replace(each.live, std::ssize(each.failed), each.wanted);
    auto newest = each.failed.rbegin();
    for (std::int64_t i = 0; i < missing; ++i, ++newest)
      sums.gpus = capped_sum(sums.gpus, newest->second);
    sums.pods += missing;
  }
  return sums;
}

}  // namespace gpu
