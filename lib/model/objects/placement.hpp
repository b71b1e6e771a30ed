#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/objects/selector.hpp"

namespace gpu {

/// A pod affinity or anti-affinity term.
struct PodAffinityTerm {
  std::optional<ObjectSelector> selector;  ///< absent: matches no pod
  std::string topology_key;
  std::vector<std::string> namespaces;  ///< with no namespace_selector, none: the pod's own
  std::optional<ObjectSelector> namespace_selector;
  std::vector<std::string> match_label_keys;     ///< the API server merges them into `selector`
  std::vector<std::string> mismatch_label_keys;  ///< these, too
  friend bool operator==(const PodAffinityTerm&, const PodAffinityTerm&) = default;
};

/// One entry of `spec.topologySpreadConstraints`.
struct TopologySpread {
  std::int32_t max_skew = 1;
  std::string topology_key;
  std::string when_unsatisfiable;  ///< DoNotSchedule blocks, ScheduleAnyway only scores
  std::optional<ObjectSelector> selector;
  std::optional<std::int32_t> min_domains;
  std::string node_affinity_policy;  ///< empty: Honor
  std::string node_taints_policy;    ///< empty: Ignore
  std::vector<std::string> match_label_keys;
  friend bool operator==(const TopologySpread&, const TopologySpread&) = default;
};

/// A preferred term of node affinity: so much a node that matches is worth. One without anything in
/// it matches no node.
struct PreferredNodes {
  std::int32_t weight = 0;  ///< 1 to 100
  NodeSelectorTerm term;
  friend bool operator==(const PreferredNodes&, const PreferredNodes&) = default;
};

/// A preferred term of pod affinity or anti-affinity.
struct PreferredPods {
  std::int32_t weight = 0;  ///< 1 to 100
  PodAffinityTerm term;
  friend bool operator==(const PreferredPods&, const PreferredPods&) = default;
};

/// What a pod requires of its place beside resources and tolerations, and what it prefers.
struct Placement {
  std::optional<NodeSelector> node_affinity;  ///< required; present without terms matches nothing
  std::vector<PodAffinityTerm> pod_affinity;
  std::vector<PodAffinityTerm> pod_anti_affinity;
  std::vector<TopologySpread> spread;
  std::vector<PreferredNodes> preferred_nodes;
  std::vector<PreferredPods> preferred_pods;          ///< podAffinity
  std::vector<PreferredPods> preferred_pods_avoided;  ///< podAntiAffinity
  friend bool operator==(const Placement&, const Placement&) = default;
};

}  // namespace gpu
