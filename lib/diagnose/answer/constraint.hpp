#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpu::diagnose {

/// What says that only some nodes will do.
enum class ConstraintOrigin : std::uint8_t {
  node_selector,
  node_affinity,
  topology_spread,
  pod_affinity,
  pod_anti_affinity,
  volumes,
  queue_flavor,  ///< Kueue adds it to the node selector
};

/// A condition that only some nodes meet: "nvidia.com/gpu.product=NVIDIA-L4".
struct Constraint {
  std::string text;
  ConstraintOrigin origin = ConstraintOrigin::node_selector;
  std::string label = {};  ///< the key that the node selector has; empty: it is no node selector
};

/// The field of a pod that has the constraint: "spec.nodeSelector"; "by Kueue's flavor" for one
/// that is in no field of the manifest.
std::string_view field_of(ConstraintOrigin origin);

}  // namespace gpu::diagnose
