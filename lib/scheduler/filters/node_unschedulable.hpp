#pragma once

#include "model/objects/pod.hpp"
#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_view.hpp"

namespace gpu::scheduler {

/// NodeUnschedulable for one pod: cordoned nodes.
class NodeUnschedulable {
 public:
  explicit NodeUnschedulable(const Pod& pod);
  [[nodiscard]] static PreFilterResult before() { return {}; }
  void ask(const NodeView& node, Findings& findings) const;

 private:
  bool is_tolerated_;
};

}  // namespace gpu::scheduler
