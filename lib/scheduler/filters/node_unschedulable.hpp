#pragma once

#include "model/objects/pod.hpp"
#include "scheduler/filters/refusals.hpp"

namespace gpu::scheduler {

/// NodeUnschedulable for one pod: cordoned nodes.
class NodeUnschedulable {
 public:
  explicit NodeUnschedulable(const Pod& pod);
  void ask(const NodeView& node, Refusals& refusals) const;

 private:
  bool is_tolerated_;
};

}  // namespace gpu::scheduler
