#include "model/holdings/gpu_sharers.hpp"

#include "model/snapshot/gpu_fraction.hpp"

namespace gpu {

GpuSharers::GpuSharers(const Snapshot& snapshot) {
  for (const Pod& pod : snapshot.pods) {
    if (pod.node_name.empty() || is_finished(pod)) continue;
    const bool is_reservation = is_gpu_reservation(pod);
    for (const std::string_view group : gpu_groups(pod)) {
      if (is_reservation)
        reserved_.emplace(pod.node_name, group);
      else
        by_group_[{pod.node_name, group}].push_back(&pod);
    }
  }
}

std::vector<const Pod*> GpuSharers::of(const Pod& reservation) const {
  if (!is_gpu_reservation(reservation)) return {};
  for (const std::string_view group : gpu_groups(reservation))
    if (const auto found = by_group_.find({reservation.node_name, group}); found != by_group_.end())
      return found->second;
  return {};
}

std::vector<std::vector<const Pod*>> GpuSharers::unreserved_on(std::string_view node) const {
  std::vector<std::vector<const Pod*>> found;
  for (auto at = by_group_.lower_bound({node, {}}); at != by_group_.end(); ++at) {
    if (at->first.first != node) break;
    if (!reserved_.contains(at->first)) found.push_back(at->second);
  }
  return found;
}

}  // namespace gpu
