#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "model/objects/own_kind.hpp"
#include "model/pools/toleration.hpp"
#include "scheduler/cluster/node_labels.hpp"
#include "scheduler/cluster/owned_pods.hpp"
#include "scheduler/filters/node_affinity.hpp"
#include "scheduler/scores/scorers.hpp"

namespace gpu::scheduler {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";
constexpr std::string_view kZone = "topology.kubernetes.io/zone";

/// A constraint ScheduleAnyway, and the pods that it counts.
struct SoftConstraint {
  std::string_view topology_key;
  std::int32_t max_skew = 1;
  bool honors_affinity = true;
  bool honors_taints = false;
  std::function<bool(const Pod&)> counts;
  const LabelColumn* column = nullptr;
  std::vector<char> is_domain = {};     ///< by value
  std::vector<std::int64_t> pods = {};  ///< by value; unused for hosts
  double weight = 0;                    ///< the smaller the topology, the less
  [[nodiscard]] bool is_of_hosts() const { return topology_key == kHostname; }
};

/// With the pod's values of matchLabelKeys. A selector with nothing in it counts no pod.
std::function<bool(const Pod&)> counter_of(const TopologySpread& rule, const Pod& pod) {
  if (!rule.selector) return [](const Pod&) { return false; };
  ObjectSelector selector = *rule.selector;
  for (const std::string& key : rule.match_label_keys)
    if (const std::string* const value = pod.labels.find(key))
      selector.expressions.push_back({key, "In", {*value}});
  if (selector.labels.empty() && selector.expressions.empty())
    return [](const Pod&) { return false; };
  return [selector](const Pod& other) { return matches(selector, other.labels); };
}

/// Whose pods the scheduler spreads by default, by their owner's selector. Services, which do the
/// same, are not read.
const OwnerReference* spreading_owner(const Pod& pod) {
  static constexpr std::array<std::string_view, 4> kKinds = {"ReplicaSet", "ReplicationController",
                                                             "StatefulSet", "Deployment"};
  const OwnerReference* const owner = controller_of(pod);
  const bool is_known =
      owner != nullptr && std::any_of(kKinds.begin(), kKinds.end(),
                                      [&](std::string_view kind) { return is_own(*owner, kind); });
  return is_known ? owner : nullptr;
}

std::vector<SoftConstraint> default_constraints(const Pod& pod) {
  const OwnerReference* const owner = spreading_owner(pod);
  if (owner == nullptr) return {};
  const auto counts = [owner](const Pod& other) {
    return std::any_of(other.owners.begin(), other.owners.end(), [&](const OwnerReference& its) {
      if (its.kind != owner->kind) return false;
      return owner->uid.empty() || its.uid.empty() ? its.name == owner->name
                                                   : its.uid == owner->uid;
    });
  };
  return {{.topology_key = kHostname, .max_skew = 3, .counts = counts},
          {.topology_key = kZone, .max_skew = 5, .counts = counts}};
}

/// PodTopologySpread's score for one pod. Refers to what it scores.
class SpreadScore {
 public:
  explicit SpreadScore(const ScoredPod& scored)
      : scored_(scored),
        affinity_(scored.cluster, scored.pod),
        needs_all_keys_(!scored.pod.placement.spread.empty()) {
    const Pod& pod = scored.pod;
    if (!needs_all_keys_) constraints_ = default_constraints(pod);
    for (const TopologySpread& rule : pod.placement.spread)
      if (rule.when_unsatisfiable == "ScheduleAnyway")
        constraints_.push_back({.topology_key = rule.topology_key,
                                .max_skew = rule.max_skew,
                                .honors_affinity = rule.node_affinity_policy != "Ignore",
                                .honors_taints = rule.node_taints_policy == "Honor",
                                .counts = counter_of(rule, pod)});
    for (SoftConstraint& each : constraints_)
      each.column = &scored.cluster.shared<NodeLabels>().column(each.topology_key);
    prepare();
  }

  [[nodiscard]] Points points() const {
    Points points(scored_.nodes.size());
    if (constraints_.empty()) return points;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::uint32_t node = scored_.nodes[i];
      if (is_ignored(node)) continue;
      points[i] = raw(node);
      least = std::min(least, points[i]);
      most = std::max(most, points[i]);
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (is_ignored(scored_.nodes[i]))
        points[i] = 0;
      else
        points[i] = most == 0 ? kMostPoints : kMostPoints * (most + least - points[i]) / most;
    }
    return points;
  }

 private:
  [[nodiscard]] bool is_ignored(std::size_t node) const {
    return needs_all_keys_ &&
           std::any_of(constraints_.begin(), constraints_.end(), [&](const SoftConstraint& each) {
             return each.column->value_of[node] == 0;
           });
  }

  /// initPreScoreState(): the domains of the nodes on which the pod fits, and their pods.
  void prepare() {
    const auto ignored = static_cast<std::size_t>(
        std::count_if(scored_.nodes.begin(), scored_.nodes.end(),
                      [&](std::uint32_t node) { return is_ignored(node); }));
    for (SoftConstraint& each : constraints_) {
      std::size_t size = scored_.nodes.size() - ignored;
      if (!each.is_of_hosts()) size = add_domains(each);
      each.weight = std::log(static_cast<double>(size) + 2.0);
      if (!each.is_of_hosts()) count_pods(each);
    }
  }

  /// Nodes without the label are a domain together.
  [[nodiscard]] std::size_t add_domains(SoftConstraint& constraint) const {
    constraint.is_domain.resize(constraint.column->values.size());
    constraint.pods.resize(constraint.column->values.size());
    std::size_t size = 0;
    for (const std::uint32_t node : scored_.nodes) {
      if (is_ignored(node)) continue;
      char& is_domain = constraint.is_domain[constraint.column->value_of[node]];
      if (is_domain == 0) ++size;
      is_domain = 1;
    }
    return size;
  }

  void count_pods(SoftConstraint& constraint) const {
    for (std::size_t node = 0; node < scored_.cluster.nodes().size(); ++node) {
      const std::uint32_t value = constraint.column->value_of[node];
      if (constraint.is_domain[value] == 0 || is_ignored(node)) continue;
      if (constraint.honors_affinity && !affinity_.matches(node)) continue;
      if (constraint.honors_taints &&
          !untolerated(scored_.pod.tolerations, *scored_.cluster.nodes()[node].node).empty())
        continue;
      constraint.pods[value] += pods_on(constraint, node);
    }
  }

  [[nodiscard]] std::int64_t pods_on(const SoftConstraint& constraint, std::size_t node) const {
    const std::vector<BoundPod>& pods = scored_.cluster.nodes()[node].pods;
    return std::count_if(pods.begin(), pods.end(), [&](const BoundPod& bound) {
      return !bound.pod->deleted && bound.pod->ns == scored_.pod.ns &&
             constraint.counts(*bound.pod);
    });
  }

  [[nodiscard]] std::int64_t raw(std::size_t node) const {
    double score = 0;
    for (const SoftConstraint& each : constraints_) {
      const std::uint32_t value = each.column->value_of[node];
      if (value == 0) continue;
      const std::int64_t pods = each.is_of_hosts() ? pods_on(each, node) : each.pods[value];
      score += static_cast<double>(pods) * each.weight + static_cast<double>(each.max_skew - 1);
    }
    return static_cast<std::int64_t>(std::round(score));
  }

  const ScoredPod& scored_;
  NodeAffinity affinity_;
  bool needs_all_keys_;
  std::vector<SoftConstraint> constraints_;
};

}  // namespace

Points spread_points(const ScoredPod& scored) { return SpreadScore(scored).points(); }

}  // namespace gpu::scheduler
