#pragma once

#include <map>
#include <string>

#include "schedule/node_view.hpp"

namespace gpu::schedule {

/// NodeVolumeLimits for one pod: how many volumes a CSI driver attaches to a node. Refers to the
/// cluster and the pod.
class VolumeLimits {
 public:
  VolumeLimits(const Cluster& cluster, const Pod& pod);

  [[nodiscard]] const PreFilterResult& before() const { return before_; }
  void ask(const NodeView& node, Findings& findings) const;

 private:
  const Cluster& cluster_;
  const Pod& pod_;
  PreFilterResult before_;
};

}  // namespace gpu::schedule
