#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scheduler/cluster/node_labels.hpp"
#include "scheduler/cluster/pod_classes.hpp"
#include "scheduler/filters/affinity_term.hpp"
#include "scheduler/scores/scorers.hpp"

namespace gpu::scheduler {
namespace {

/// hardPodAffinityWeight of InterPodAffinityArgs.
constexpr std::int64_t kRequiredWeight = 1;

/// Pods on nodes that prefer or require others beside them. For Cluster::shared().
struct AffinePods {
  explicit AffinePods(const Cluster& cluster) {
    for (std::size_t node = 0; node < cluster.nodes().size(); ++node)
      for (const BoundPod& bound : cluster.nodes()[node].pods)
        if (counts(*bound.pod)) pods.emplace_back(node, bound.pod);
  }
  static bool counts(const Pod& pod) {
    const Placement& its = pod.placement;
    return !its.pod_affinity.empty() || !its.preferred_pods.empty() ||
           !its.preferred_pods_avoided.empty();
  }
  std::vector<std::pair<std::size_t, const Pod*>> pods;  ///< with the place of their node
};

/// What each value of each topology key is worth. Refers to the cluster.
class TopologyWorth {
 public:
  explicit TopologyWorth(const Cluster& cluster) : labels_(cluster.shared<NodeLabels>()) {}

  void add(std::string_view topology_key, std::size_t node, std::int64_t worth) {
    const LabelColumn* const column = &labels_.column(topology_key);
    const std::uint32_t value = column->value_of[node];
    if (value == 0) return;
    std::vector<std::int64_t>& values = worth_[column];
    if (values.empty()) values.resize(column->values.size());
    values[value] += worth;
  }
  [[nodiscard]] bool is_empty() const { return worth_.empty(); }
  [[nodiscard]] std::int64_t of(std::size_t node) const {
    std::int64_t sum = 0;
    for (const auto& [column, values] : worth_)
      if (const std::uint32_t value = column->value_of[node]; value != 0) sum += values[value];
    return sum;
  }

 private:
  const NodeLabels& labels_;
  std::unordered_map<const LabelColumn*, std::vector<std::int64_t>> worth_;
};

/// The pod's own preferences, which are about all pods on nodes.
void add_own(const ScoredPod& scored, TopologyWorth& worth) {
  const Placement& own = scored.pod.placement;
  if (own.preferred_pods.empty() && own.preferred_pods_avoided.empty()) return;
  const auto add = [&](const PreferredPods& preferred, std::int64_t sign) {
    const OwnTerm term(scored.cluster, preferred.term, scored.pod.ns);
    for (const PodClass& each : scored.cluster.shared<PodClasses>().all())
      if (term.is_about(*each.pod))
        for (const PodClass::Place& place : each.places)
          worth.add(preferred.term.topology_key, place.node, sign * preferred.weight * place.pods);
  };
  for (const PreferredPods& each : own.preferred_pods) add(each, 1);
  for (const PreferredPods& each : own.preferred_pods_avoided) add(each, -1);
}

/// What pods on nodes prefer, or require, of a pod like this.
void add_others(const ScoredPod& scored, TopologyWorth& worth) {
  const StringMap* const labels = scored.cluster.namespace_labels(scored.pod.ns);
  static const StringMap kNone;
  const StringMap& of_namespace = labels == nullptr ? kNone : *labels;
  for (const auto& [node, pod] : scored.cluster.shared<AffinePods>().pods) {
    const auto add = [&, at = node, &ns = pod->ns](const PodAffinityTerm& term,
                                                   std::int64_t weight) {
      if (is_about(term, ns, scored.pod, of_namespace)) worth.add(term.topology_key, at, weight);
    };
    const Placement& its = pod->placement;
    for (const PodAffinityTerm& term : its.pod_affinity) add(term, kRequiredWeight);
    for (const PreferredPods& each : its.preferred_pods) add(each.term, each.weight);
    for (const PreferredPods& each : its.preferred_pods_avoided) add(each.term, -each.weight);
  }
}

}  // namespace

Points pod_affinity_points(const ScoredPod& scored) {
  TopologyWorth worth(scored.cluster);
  add_own(scored, worth);
  add_others(scored, worth);
  Points points(scored.nodes.size());
  if (worth.is_empty() || points.empty()) return points;
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = worth.of(scored.nodes[i]);
  const auto [least, most] = std::minmax_element(points.begin(), points.end());
  const std::int64_t low = *least;
  const std::int64_t range = *most - low;
  for (std::int64_t& each : points)
    each = range == 0 ? 0
                      : static_cast<std::int64_t>(
                            static_cast<double>(kMostPoints) *
                            (static_cast<double>(each - low) / static_cast<double>(range)));
  return points;
}

}  // namespace gpu::scheduler
