#pragma once

#include "kube/reading.hpp"

namespace gpu::kube {

/// Reads utilization of pods from custom.metrics.k8s.io into samples of no device (pod_only), for
/// the namespaces of the kept pods that hold GPUs. Returns whether any was told.
bool read_custom_metrics(Reading& reading);

}  // namespace gpu::kube
