#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/objects/pod.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/scores/usual_requests.hpp"

namespace gpu::scheduler {

/// The plugins of kube-scheduler's default profile that score nodes, in its order.
enum class Scorer : std::uint8_t {
  taint_toleration,
  node_affinity,
  node_resources_fit,
  pod_topology_spread,
  inter_pod_affinity,
  balanced_allocation,
  image_locality,
};
inline constexpr std::size_t kScorers = 7;

/// The plugin's name: "TaintToleration".
std::string_view name_of(Scorer scorer);

/// What the plugins give one node: each 0 to 100, normalized, times the plugin's weight.
struct NodeScore {
  std::uint32_t node = 0;  ///< place in Cluster::nodes()
  std::array<std::int64_t, kScorers> by{};
  [[nodiscard]] std::int64_t total() const;
};

/// The scores of kube-scheduler's default profile for the nodes on which `pod` fits, in their
/// order. Other profiles, extenders, and volumes with StorageCapacityScoring are not modelled.
/// `usual` must be of the same cluster.
std::vector<NodeScore> scores_of(const Cluster& cluster, const Pod& pod,
                                 std::span<const std::uint32_t> nodes, UsualRequests& usual);

/// Those of `scores` with the highest total: the scheduler takes one of them at random.
std::vector<std::uint32_t> best_nodes(const std::vector<NodeScore>& scores);

/// How many fitting nodes the scheduler searches before it scores them. It starts the search at
/// another node for each pod (percentageOfNodesToScore 0: adaptive).
std::size_t nodes_to_find(std::size_t nodes);

}  // namespace gpu::scheduler
