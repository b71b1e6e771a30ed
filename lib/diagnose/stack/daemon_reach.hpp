#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/gpu/gpu_resource.hpp"
#include "model/objects/scheduling_facts.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// What a DaemonSet of the GPU stack is for.
enum class DaemonRole {
  device_plugin,
  feature_discovery,  ///< node feature discovery's workers
  driver,
  dra_driver,
  mig_manager,
  toolkit,      ///< NVIDIA's container toolkit
  gpu_labeler,  ///< GPU feature discovery, AMD's node labeller
  exporter,     ///< of metrics
  validator,    ///< of NVIDIA's operator
};
inline constexpr std::size_t kDaemonRoles = 9;

/// The DaemonSets of the GPU stack, by name, image and container name: NVIDIA's, GKE's, AMD's,
/// Intel's, Gaudi's. Found once for all nodes: Cluster::shared().
class StackDaemons {
 public:
  explicit StackDaemons(const scheduler::Cluster& cluster);
  /// Those of a role, for whatever GPUs.
  [[nodiscard]] std::vector<const DaemonSet*> of(DaemonRole role) const;
  /// Those for this maker's GPUs, or for no particular maker's.
  [[nodiscard]] std::vector<const DaemonSet*> of(DaemonRole role, Vendor vendor) const;

 private:
  struct Known {
    const DaemonSet* daemon = nullptr;
    std::optional<Vendor> vendor;
  };
  std::array<std::vector<Known>, kDaemonRoles> by_role_;
};

/// The maker of the GPUs that a text names: a name, an image, the name of a DRA driver or of its
/// DeviceClass.
std::optional<Vendor> maker_in(std::string_view text);

/// Whether a pod of a DaemonSet has this role in the GPU stack, by its own spec, for this maker's
/// GPUs or for no particular maker's.
bool is_of_role(DaemonRole role, const Pod& pod, Vendor vendor);

/// The roles in the GPU stack of a pod of a DaemonSet, by its own spec; none for others.
std::vector<DaemonRole> roles_of(const Pod& pod);

/// Why a DaemonSet has no pod on a node: "does not tolerate nvidia.com/gpu=true:NoSchedule",
/// "selects nodes with feature.node.kubernetes.io/pci-10de.present, which this one lacks", "keeps
/// off nodes with gpu-off=true"; both, if both taints and labels exclude the node. Empty: it should
/// have one. Ignores taints of node conditions, because the DaemonSet controller adds tolerations
/// for them.
struct Unreached {
  std::string why;
  std::vector<const Taint*> taints;  ///< that are not tolerated
  std::vector<std::string> labels;   ///< that are selected, and that the node lacks
  /// Labels that make the DaemonSet select the node: "nvidia.com/gpu.present=true". Of several
  /// ways, the one that does not copy a label of node feature discovery. Empty if labels alone do
  /// not help.
  std::vector<std::string> to_set;
  std::vector<std::string> unwanted;  ///< keys of labels of the node for which it stays away
};
Unreached reach_of(const DaemonSet& daemon, const Node& node);

}  // namespace gpu::diagnose
