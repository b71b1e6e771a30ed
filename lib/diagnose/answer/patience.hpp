#pragma once

#include <chrono>
#include <cstdint>

namespace gpu::diagnose {

/// What a pod, or a person, can only wait for.
enum class WaitFor : std::uint8_t {
  mig_layout,      ///< NVIDIA's MIG manager changes how the GPUs of a node are partitioned
  driver_upgrade,  ///< NVIDIA's operator upgrades the driver of a node
  start,           ///< a kubelet starts a bound pod
  image_pull,
  end,               ///< a kubelet ends a pod, past its deletionTimestamp
  quota_holder,      ///< Kueue admitted a workload, and its pods are created
  first_scheduling,  ///< a scheduler looks at a new pod
  new_node,          ///< an autoscaler brings a node
  volume_release,    ///< a node detaches a volume that another pod needs
};

/// How long each may take before it counts as stuck. After that, the advice is no longer to wait.
std::chrono::minutes patience_for(WaitFor thing);

}  // namespace gpu::diagnose
