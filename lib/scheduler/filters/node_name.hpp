#pragma once

#include "model/objects/pod.hpp"
#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_view.hpp"

namespace gpu::scheduler {

/// NodeName for one pod: one that names its node fits nowhere else. Refers to the pod.
class NodeName {
 public:
  explicit NodeName(const Pod& pod) : pod_(pod) {}
  [[nodiscard]] PreFilterResult before() const { return {.skips = pod_.node_name.empty()}; }
  void ask(const NodeView& node, Findings& findings) const;

 private:
  const Pod& pod_;
};

}  // namespace gpu::scheduler
