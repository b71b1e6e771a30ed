#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "scheduler/cluster/change.hpp"
#include "scheduler/cluster/node_view.hpp"

namespace gpu::scheduler {

/// The node as `kubectl uncordon` leaves it: the node controller removes its taint with the cordon.
void uncordon(Node& node);

/// A cluster with a Change applied on top. Refers to both.
class Overlay {
 public:
  explicit Overlay(const Cluster& cluster);
  Overlay(const Cluster& cluster, const Change& change);
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  [[nodiscard]] const Cluster& cluster() const { return cluster_; }
  /// The node as the change leaves it. Pods that end are still in it: see view().
  [[nodiscard]] const NodeState& state(std::size_t node) const;
  /// Whether the change removes a taint or the cordon of the node.
  [[nodiscard]] bool is_changed(std::size_t node) const { return changed_.contains(node); }
  /// The node without the pods that end.
  [[nodiscard]] NodeView view(std::size_t node) const;
  [[nodiscard]] bool has_ended(const Pod* pod) const;
  /// All pods on nodes that end.
  [[nodiscard]] const EndedPods& ended_pods() const { return ended_pods_; }
  /// Places of nodes, and the pods of each that end.
  [[nodiscard]] const std::unordered_map<std::size_t, std::vector<const Pod*>>& ended() const {
    return ended_;
  }

 private:
  Node& changed(std::size_t node);

  struct ChangedNode {
    Node node;
    NodeState state;
  };
  const Cluster& cluster_;
  std::unordered_map<std::size_t, ChangedNode> changed_;
  std::unordered_map<std::size_t, std::vector<const Pod*>> ended_;
  EndedPods ended_pods_;
};

}  // namespace gpu::scheduler
