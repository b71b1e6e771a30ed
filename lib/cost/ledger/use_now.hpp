#pragma once

#include <optional>

#include "model/objects/pod.hpp"
#include "usage/rows/pod_usage.hpp"

namespace gpu::cost {

/// Whether a container of `pod` that may use its GPUs runs now, by its container states. A pod that
/// pulls an image, waits for a volume or is in CrashLoopBackOff holds its GPUs and runs none.
bool runs_on_gpus(const Pod& pod);

/// Use of what `row` holds, 0 to 1: measured (over --since, if that was given), or 0 if it is
/// certain that nothing runs on it. Nothing: not known, which never counts as idle.
std::optional<double> use_now(const usage::PodUsage& row);

}  // namespace gpu::cost
