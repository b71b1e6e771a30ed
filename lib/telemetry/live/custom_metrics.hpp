#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/read/collect_context.hpp"
#include "model/gpu/sample.hpp"
#include "telemetry/dialects/series.hpp"

namespace gpu::telemetry {

/// Reads utilization of pods from custom.metrics.k8s.io into samples of no device (pod_only), for
/// the namespaces of the kept pods that hold GPUs. Returns whether any was told.
bool read_custom_metrics(kube::CollectContext& reading);

/// What a snapshot keeps of it, read back: values of one metric, with the labels `namespace` and
/// `pod`, of pods in `snapshot`.
std::vector<Sample> custom_samples(const std::vector<Series>& values, const Snapshot& snapshot);

/// What of a metric's name in custom.metrics.k8s.io makes it one of use: of Google's adapter's
/// "prometheus.googleapis.com|DCGM_FI_DEV_GPU_UTIL|gauge" the middle. Nothing: it is none of use.
std::optional<std::string> adapter_name(std::string_view name);

}  // namespace gpu::telemetry
