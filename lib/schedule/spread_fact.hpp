#pragma once

#include <string>

#include "schedule/node_affinity.hpp"
#include "schedule/overlay.hpp"
#include "schedule/placement_fact.hpp"
#include "schedule/pod_topology_spread.hpp"
#include "schedule/taint_toleration.hpp"

namespace gpu::schedule {

/// What the pod's spread rules count. Refers to the overlay and the pod.
class SpreadFacts {
 public:
  SpreadFacts(const Overlay& overlay, const Pod& pod);
  /// "eu-1a has 3, eu-1b has 1".
  [[nodiscard]] std::string detail(std::size_t node) const;
  [[nodiscard]] std::string headline(const RuledOut& ruled_out) const;

 private:
  const Overlay& overlay_;
  NodeAffinity affinity_;
  TaintToleration taints_;
  PodTopologySpread spread_;
};

}  // namespace gpu::schedule
