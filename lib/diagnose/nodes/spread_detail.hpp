#pragma once

#include <string>

#include "diagnose/nodes/ruled_out.hpp"
#include "scheduler/cluster/overlay.hpp"
#include "scheduler/filters/node_affinity.hpp"
#include "scheduler/filters/pod_topology_spread.hpp"
#include "scheduler/filters/taint_toleration.hpp"

namespace gpu::diagnose {

/// What the pod's spread rules count. Refers to the overlay and the pod.
class SpreadDetails {
 public:
  SpreadDetails(const scheduler::Overlay& overlay, const Pod& pod);
  /// "eu-1a has 3, eu-1b has 1".
  [[nodiscard]] std::string detail(std::size_t node) const;
  [[nodiscard]] std::string headline(const RuledOut& ruled_out) const;

 private:
  const scheduler::Overlay& overlay_;
  scheduler::NodeAffinity affinity_;
  scheduler::TaintToleration taints_;
  scheduler::PodTopologySpread spread_;
};

}  // namespace gpu::diagnose
