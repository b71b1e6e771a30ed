#pragma once

#include <string_view>
#include <vector>

#include "model/objects/pod.hpp"
#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_view.hpp"
#include "scheduler/cluster/rules.hpp"

namespace gpu::scheduler {

/// NodeDeclaredFeatures for one pod: the features that it needs must be in a node's
/// status.declaredFeatures. Source: nodedeclaredfeatures/features of k8s.io/component-helpers 1.36.
class NodeDeclaredFeatures {
 public:
  NodeDeclaredFeatures(const Rules& rules, const Pod& pod);
  [[nodiscard]] PreFilterResult before() const { return {.skips = required_.empty()}; }
  void ask(const NodeView& node, Findings& findings) const;
  /// Features that the pod needs and the node does not declare, sorted.
  [[nodiscard]] std::vector<std::string_view> missing(const Node& node) const;

 private:
  std::vector<std::string_view> required_;
};

}  // namespace gpu::scheduler
