#pragma once

#include <memory>

#include "scheduler/cluster/node_view.hpp"

namespace gpu::scheduler {

/// VolumeRestrictions, NodeVolumeLimits, VolumeBinding and VolumeZone for one pod. Refers to the
/// cluster and the pod.
class VolumeFilters {
 public:
  VolumeFilters(const Cluster& cluster, const Pod& pod, const EndedPods& ended = {});
  VolumeFilters(VolumeFilters&&) noexcept;
  ~VolumeFilters();

  /// What the PreFilter of `filter`, one of these four, says.
  [[nodiscard]] PreFilterResult before(Filter filter) const;
  /// What `filter`, one of these four, says of a node.
  void ask(Filter filter, const NodeView& node, Findings& findings) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace gpu::scheduler
