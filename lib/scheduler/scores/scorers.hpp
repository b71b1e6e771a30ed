#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/objects/pod.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/scores/usual_requests.hpp"

namespace gpu::scheduler {

/// The pod and the nodes on which it fits: places in Cluster::nodes().
struct ScoredPod {
  const Cluster& cluster;
  const Pod& pod;
  std::span<const std::uint32_t> nodes;
};

/// Of each node, 0 to 100: normalized, and not weighted yet.
using Points = std::vector<std::int64_t>;

/// Taints PreferNoSchedule that the pod does not tolerate: the fewer, the better.
Points taint_points(const ScoredPod& scored);
/// The weights of preferred node affinity.
Points node_affinity_points(const ScoredPod& scored);
/// LeastAllocated of cpu and memory.
Points least_allocated_points(const ScoredPod& scored, UsualRequests& usual);
/// How the pod changes the balance of cpu and memory; before 1.36 how balanced they are with it.
Points balanced_points(const ScoredPod& scored);
/// Preferred pod affinity of the pod and of pods on nodes, and what these require.
Points pod_affinity_points(const ScoredPod& scored);
/// Constraints ScheduleAnyway; for pods without any those that the scheduler has by default.
Points spread_points(const ScoredPod& scored);
/// Images of the pod that a node has already.
Points image_points(const ScoredPod& scored);

/// The most that a plugin gives.
inline constexpr std::int64_t kMostPoints = 100;

/// DefaultNormalizeScore: the highest becomes 100.
enum class Order { higher_is_better, lower_is_better };
void normalize(Points& points, Order order);

}  // namespace gpu::scheduler
