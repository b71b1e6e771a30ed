#pragma once

#include <optional>

#include "model/objects/pod.hpp"
#include "telemetry/live/smi_exec.hpp"

namespace gpu::telemetry {

/// A pod in which nvidia-smi can run, and how suitable it is.
struct RankedSmiPod {
  int rank = 0;  ///< 0 is best: the driver's own pod
  SmiPod pod;
};

/// How suitable `pod` is for nvidia-smi, by its labels (spec/telemetry D); nothing for pods that
/// cannot run it, or do not run.
std::optional<RankedSmiPod> smi_pod_of(const Pod& pod);

}  // namespace gpu::telemetry
