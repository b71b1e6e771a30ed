#include <vector>

#include "model/objects/selector.hpp"
#include "model/pools/toleration.hpp"
#include "scheduler/scores/scorers.hpp"

namespace gpu::scheduler {
namespace {

constexpr std::string_view kPreferNoSchedule = "PreferNoSchedule";

/// Those that can cover a taint PreferNoSchedule.
std::vector<Toleration> soft_tolerations(const Pod& pod) {
  std::vector<Toleration> soft;
  for (const Toleration& each : pod.tolerations)
    if (each.effect.empty() || each.effect == kPreferNoSchedule) soft.push_back(each);
  return soft;
}

}  // namespace

Points taint_points(const ScoredPod& scored) {
  const std::vector<Toleration> soft = soft_tolerations(scored.pod);
  Points points;
  points.reserve(scored.nodes.size());
  for (const std::uint32_t node : scored.nodes) {
    std::int64_t count = 0;
    for (const Taint& taint : scored.cluster.nodes()[node].node->taints)
      if (taint.effect == kPreferNoSchedule && !tolerates(soft, taint)) ++count;
    points.push_back(count);
  }
  normalize(points, Order::lower_is_better);
  return points;
}

Points node_affinity_points(const ScoredPod& scored) {
  Points points(scored.nodes.size());
  const std::vector<PreferredNodes>& preferred = scored.pod.placement.preferred_nodes;
  if (preferred.empty()) return points;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (const PreferredNodes& each : preferred)
      if (matches(each.term, *scored.cluster.nodes()[scored.nodes[i]].node))
        points[i] += each.weight;
  normalize(points, Order::higher_is_better);
  return points;
}

}  // namespace gpu::scheduler
