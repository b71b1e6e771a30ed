#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/scheduling_facts.hpp"

namespace gpu::schedule {

/// What a DaemonSet of the GPU stack is for.
enum class DaemonRole { device_plugin, feature_discovery, driver };

/// Those of a role, by name, image and container name: NVIDIA's, GKE's, AMD's, Intel's, Gaudi's.
std::vector<const DaemonSet*> daemons_for(DaemonRole role, const SchedulingFacts& facts);

/// Why a DaemonSet has no pod on a node: "does not tolerate nvidia.com/gpu=true:NoSchedule",
/// "selects nodes with feature.node.kubernetes.io/pci-10de.present, which this one lacks". Empty:
/// it should have one. The DaemonSet controller adds tolerations for the node's life by itself.
struct Unreached {
  std::string why;
  const Taint* taint = nullptr;     ///< that is not tolerated
  std::vector<std::string> labels;  ///< that are selected, and that the node lacks
};
Unreached reach_of(const DaemonSet& daemon, const Node& node);

/// "key=value:Effect", without "=" where there is no value.
std::string text_of(const Taint& taint);

}  // namespace gpu::schedule
