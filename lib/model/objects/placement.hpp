#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/objects/selector.hpp"

namespace gpu {

/// A required pod affinity or anti-affinity term.
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

/// What a pod requires of its place beside resources and tolerations; preferences only score, and
/// are not kept.
struct Placement {
  std::optional<NodeSelector> node_affinity;  ///< required; present without terms matches nothing
  std::vector<PodAffinityTerm> pod_affinity;
  std::vector<PodAffinityTerm> pod_anti_affinity;
  std::vector<TopologySpread> spread;
  friend bool operator==(const Placement&, const Placement&) = default;
};

}  // namespace gpu
