#include "scheduler/cycle/lower_pods.hpp"

#include <algorithm>
#include <set>

#include "base/quantity.hpp"

namespace gpu::scheduler {

LowerPods::LowerPods(const Cluster& cluster) : cluster_(cluster) {
  std::set<std::int32_t> priorities;
  for (const NodeState& node : cluster.nodes())
    for (const BoundPod& pod : node.pods) priorities.insert(pod.priority);
  priorities_.assign(priorities.begin(), priorities.end());
}

LowerPods::Sums::Sums(const Cluster& cluster, std::int32_t priority)
    : resources_(cluster.resource_count()),
      pods_(cluster.nodes().size()),
      requests_(cluster.nodes().size() * cluster.resource_count()) {
  for (std::size_t node = 0; node < pods_.size(); ++node) {
    for (const BoundPod& pod : cluster.nodes()[node].pods) {
      if (pod.priority >= priority) continue;
      ++pods_[node];
      for (const Amount& amount : pod.requests) {
        std::int64_t& sum = requests_[node * resources_ + amount.resource];
        sum = capped_sum(sum, amount.value);
      }
    }
  }
}

const LowerPods::Sums& LowerPods::below(std::int32_t priority) const {
  const auto rank = static_cast<std::size_t>(
      std::lower_bound(priorities_.begin(), priorities_.end(), priority) - priorities_.begin());
  const auto found = sums_.find(rank);
  return found != sums_.end() ? found->second
                              : sums_.emplace(rank, Sums(cluster_, priority)).first->second;
}

}  // namespace gpu::scheduler
