#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cost/forecast/gpu_part.hpp"
#include "model/objects/claim.hpp"
#include "model/snapshot/planned_pod.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::cost {

/// Devices of one resource that a pod requests.
struct GpuRequest {
  std::string resource;     ///< "nvidia.com/gpu"; of a claim its device class: "gpu.nvidia.com"
  std::int64_t units = 0;   ///< 0: how many is not known, and so no price is
  bool is_claimed = false;  ///< through a ResourceClaim
  std::optional<GpuPart> part = {};  ///< what it requests of each; nothing: all
  friend bool operator==(const GpuRequest&, const GpuRequest&) = default;
};

/// The GPUs of one pod.
struct PodRequest {
  std::vector<GpuRequest> gpus;          ///< by resource
  std::vector<std::string> not_checked;  ///< "which devices the selectors of claim gpus choose"
};

/// What the pod requests, by the scheduler's own sum and by its claims, which are in `planned` or
/// in the snapshot.
PodRequest gpus_of(const Pod& pod, const PlannedObjects& planned, const Snapshot& snapshot);

}  // namespace gpu::cost
