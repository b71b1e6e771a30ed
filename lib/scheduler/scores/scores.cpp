#include "scheduler/scores/scores.hpp"

#include <algorithm>
#include <numeric>

#include "scheduler/scores/scorers.hpp"

namespace gpu::scheduler {
namespace {

struct ScorerInfo {
  std::string_view name;
  std::int64_t weight;
};

/// Source: pkg/scheduler/apis/config/v1/default_plugins.go.
constexpr auto kInfos = std::to_array<ScorerInfo>({
    {"TaintToleration", 3},
    {"NodeAffinity", 2},
    {"NodeResourcesFit", 1},
    {"PodTopologySpread", 2},
    {"InterPodAffinity", 2},
    {"NodeResourcesBalancedAllocation", 1},
    {"ImageLocality", 1},
});
static_assert(kInfos.size() == kScorers);

void add(std::vector<NodeScore>& scores, Scorer scorer, const Points& points) {
  const auto at = static_cast<std::size_t>(scorer);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i].by[at] = points[i] * kInfos[at].weight;
}

}  // namespace

std::string_view name_of(Scorer scorer) { return kInfos[static_cast<std::size_t>(scorer)].name; }

std::int64_t NodeScore::total() const {
  return std::accumulate(by.begin(), by.end(), std::int64_t{0});
}

void normalize(Points& points, Order order) {
  const std::int64_t most =
      points.empty() ? 0
                     : std::max<std::int64_t>(0, *std::max_element(points.begin(), points.end()));
  for (std::int64_t& each : points) {
    if (most != 0) each = kMostPoints * each / most;
    if (order == Order::lower_is_better) each = kMostPoints - each;
  }
}

std::vector<NodeScore> scores_of(const Cluster& cluster, const Pod& pod,
                                 std::span<const std::uint32_t> nodes, UsualRequests& usual) {
  const ScoredPod scored{cluster, pod, nodes};
  std::vector<NodeScore> scores;
  scores.reserve(nodes.size());
  for (const std::uint32_t node : nodes) scores.push_back({.node = node});
  add(scores, Scorer::taint_toleration, taint_points(scored));
  add(scores, Scorer::node_affinity, node_affinity_points(scored));
  add(scores, Scorer::node_resources_fit, least_allocated_points(scored, usual));
  add(scores, Scorer::pod_topology_spread, spread_points(scored));
  add(scores, Scorer::inter_pod_affinity, pod_affinity_points(scored));
  add(scores, Scorer::balanced_allocation, balanced_points(scored));
  add(scores, Scorer::image_locality, image_points(scored));
  return scores;
}

std::vector<std::uint32_t> best_nodes(const std::vector<NodeScore>& scores) {
  std::vector<std::uint32_t> best;
  std::int64_t most = 0;
  for (const NodeScore& each : scores) {
    const std::int64_t total = each.total();
    if (!best.empty() && total < most) continue;
    if (best.empty() || total > most) best.clear();
    most = total;
    best.push_back(each.node);
  }
  return best;
}

// Source: pkg/scheduler/schedule_one.go numFeasibleNodesToFind.
std::size_t nodes_to_find(std::size_t nodes) {
  constexpr std::size_t kLeast = 100;
  constexpr std::size_t kLeastPercent = 5;
  if (nodes < kLeast) return nodes;
  const std::size_t less = nodes / 125;
  const std::size_t percent = less > 50 - kLeastPercent ? kLeastPercent : 50 - less;
  return std::max(kLeast, nodes * percent / 100);
}

}  // namespace gpu::scheduler
