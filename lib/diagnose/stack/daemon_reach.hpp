#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/gpu/gpu_resource.hpp"
#include "model/objects/scheduling_facts.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// What a DaemonSet of the GPU stack is for.
enum class DaemonRole { device_plugin, feature_discovery, driver };

/// The DaemonSets of the GPU stack, by name, image and container name: NVIDIA's, GKE's, AMD's,
/// Intel's, Gaudi's. Told once for all nodes: Cluster::shared().
class StackDaemons {
 public:
  explicit StackDaemons(const scheduler::Cluster& cluster);
  /// Those of a role, for whatever GPUs.
  [[nodiscard]] std::vector<const DaemonSet*> of(DaemonRole role) const;
  /// Those that are of this maker's GPUs, or do not say whose.
  [[nodiscard]] std::vector<const DaemonSet*> of(DaemonRole role, Vendor vendor) const;

 private:
  struct Known {
    const DaemonSet* daemon = nullptr;
    std::optional<Vendor> vendor;
  };
  std::array<std::vector<Known>, 3> by_role_;
};

/// Whether a pod of a DaemonSet is of the GPU stack in this role, by what its own spec says, and of
/// this maker's GPUs or of no certain one's.
bool is_of_role(DaemonRole role, const Pod& pod, Vendor vendor);

/// Why a DaemonSet has no pod on a node: "does not tolerate nvidia.com/gpu=true:NoSchedule",
/// "selects nodes with feature.node.kubernetes.io/pci-10de.present, which this one lacks". Empty:
/// it should have one. The DaemonSet controller adds tolerations for the node's life by itself.
struct Unreached {
  std::string why;
  const Taint* taint = nullptr;     ///< that is not tolerated
  std::vector<std::string> labels;  ///< that are selected, and that the node lacks
};
Unreached reach_of(const DaemonSet& daemon, const Node& node);

}  // namespace gpu::diagnose
