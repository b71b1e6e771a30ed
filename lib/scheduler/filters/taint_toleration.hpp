#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/objects/pod.hpp"
#include "model/pools/toleration_index.hpp"
#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_view.hpp"
#include "scheduler/cluster/overlay.hpp"

namespace gpu::scheduler {

/// Nodes with the same taints, in the same order, are of one group. For Cluster::shared().
struct TaintGroups {
  explicit TaintGroups(const Cluster& cluster);
  static bool counts(const Pod& /*pod*/) { return false; }
  std::vector<std::uint32_t> group_of;            ///< by place of the node
  std::vector<const std::vector<Taint>*> taints;  ///< by group
};

/// TaintToleration for one pod. Refers to the overlay and the pod.
class TaintToleration {
 public:
  TaintToleration(const Overlay& overlay, const Pod& pod);

  [[nodiscard]] static PreFilterResult before() { return {}; }
  void ask(const NodeView& node, Findings& findings) const;
  /// Whether the pod tolerates every taint of a node that keeps pods away.
  [[nodiscard]] bool is_tolerated(std::size_t node) const;

 private:
  /// Empty: all are tolerated. Otherwise the scheduler's text.
  [[nodiscard]] std::string text_for(const std::vector<Taint>& taints) const;

  const Overlay& overlay_;
  const TaintGroups& groups_;
  TolerationIndex tolerations_;
  std::vector<std::string> texts_;  ///< by group
};

}  // namespace gpu::scheduler
