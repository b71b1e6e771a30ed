#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/gpu/gpu_resource.hpp"
#include "model/objects/node.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The nodes that autoscalers added for pods that request GPUs, by their events: Karpenter names
/// the node (Nominated), cluster-autoscaler the node group (TriggeredScaleUp), which is matched
/// with the cloud's label of the node's pool. Read once for all nodes: Cluster::shared().
class AddedNodes {
 public:
  explicit AddedNodes(const scheduler::Cluster& cluster);

  /// "Karpenter" or "cluster-autoscaler", if it added this node for a pod that requests GPUs of
  /// this maker.
  [[nodiscard]] std::optional<std::string_view> added_by(const Node& node, Vendor vendor) const;

 private:
  struct Promise {
    Vendor vendor{};
    std::string node;   ///< empty: see group
    std::string group;  ///< as cluster-autoscaler calls it
    Time since;         ///< when it was requested for the first time
  };
  std::vector<Promise> promises_;
};

}  // namespace gpu::diagnose
