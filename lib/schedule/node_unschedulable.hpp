#pragma once

#include "model/pod.hpp"
#include "schedule/refusals.hpp"

namespace gpu::schedule {

/// NodeUnschedulable for one pod: cordoned nodes.
class NodeUnschedulable {
 public:
  explicit NodeUnschedulable(const Pod& pod);
  void ask(const NodeView& node, Refusals& refusals) const;

 private:
  bool is_tolerated_;
};

}  // namespace gpu::schedule
