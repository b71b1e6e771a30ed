#include "model/holdings/gpu_sharers.hpp"

#include "model/snapshot/gpu_fraction.hpp"

namespace gpu {

GpuSharers::GpuSharers(const Snapshot& snapshot) {
  for (const Pod& pod : snapshot.pods) {
    if (pod.node_name.empty() || is_finished(pod) || is_gpu_reservation(pod)) continue;
    for (const std::string_view group : gpu_groups(pod))
      by_group_[{pod.node_name, group}].push_back(&pod);
  }
}

std::vector<const Pod*> GpuSharers::of(const Pod& reservation) const {
  if (!is_gpu_reservation(reservation)) return {};
  for (const std::string_view group : gpu_groups(reservation))
    if (const auto found = by_group_.find({reservation.node_name, group}); found != by_group_.end())
      return found->second;
  return {};
}

}  // namespace gpu
