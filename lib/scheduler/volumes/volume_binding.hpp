#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_view.hpp"

namespace gpu::scheduler {

/// VolumeBinding for one pod: where its bound volumes are, and whether a node has volumes for its
/// unbound claims, or a provisioner can create them there. Refers to the cluster and the pod.
class VolumeBinding {
 public:
  VolumeBinding(const Cluster& cluster, const Pod& pod);

  [[nodiscard]] const PreFilterResult& before() const { return before_; }
  void ask(const NodeView& node, Findings& findings) const;

 private:
  /// Whether the bound volumes can be used on a node; one that cannot be translated to its CSI
  /// driver's kind ends the cycle.
  enum class Bound { fits, elsewhere, missing, untranslatable };
  enum class Made { fits, not_here, no_space };

  void refuse(std::string message);
  /// podHasPVCs of the plugin: the first mistake in the order of the spec.
  void check_claims();
  void sort_claims();
  void check_coverage();
  [[nodiscard]] bool waits_for_node(const PersistentVolumeClaim& claim) const;
  [[nodiscard]] Bound bound_volumes(const Node& node, Findings& findings) const;
  /// Claims of `delayed` that have no volume on the node, or nothing if one is pinned to another
  /// node.
  [[nodiscard]] std::optional<std::vector<const PersistentVolumeClaim*>> to_be_made(
      const Node& node) const;
  [[nodiscard]] Made make(const std::vector<const PersistentVolumeClaim*>& claims,
                          const Node& node) const;
  [[nodiscard]] bool has_space(const StorageClass& storage_class,
                               const PersistentVolumeClaim& claim, const Node& node) const;

  const Cluster& cluster_;
  const Pod& pod_;
  PreFilterResult before_;
  std::vector<const PersistentVolumeClaim*> bound_;
  std::vector<const PersistentVolumeClaim*> delayed_;
};

}  // namespace gpu::scheduler
