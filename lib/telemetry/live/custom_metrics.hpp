#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/read/collect_context.hpp"
#include "model/gpu/sample.hpp"
#include "telemetry/dialects/series.hpp"

namespace gpu::telemetry {

/// Reads utilization of pods from custom.metrics.k8s.io into samples without a device (pod_only),
/// for the namespaces of the kept pods that hold GPUs. Returns whether any was reported.
bool read_custom_metrics(kube::CollectContext& reading);

/// Reads back what a snapshot keeps of it: values of one metric, with the labels `namespace` and
/// `pod`, of pods in `snapshot`.
std::vector<Sample> custom_samples(const std::vector<Series>& values, const Snapshot& snapshot);

/// The part of a metric's name in custom.metrics.k8s.io that makes it a metric of use: the middle
/// of "prometheus.googleapis.com|DCGM_FI_DEV_GPU_UTIL|gauge", from Google's adapter. Nothing: it is
/// not such a metric.
std::optional<std::string> adapter_name(std::string_view name);

}  // namespace gpu::telemetry
