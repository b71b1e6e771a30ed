#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpu::telemetry {

/// What the values of a metric of pods count.
enum class AdapterScale {
  percent,   ///< 0 to 100
  ratio,     ///< 0 to 1
  not_told,  ///< its name is used for both units: a value above 1 shows that it is per cent
};

/// A metric of pods that custom.metrics.k8s.io serves, and that measures how busy their GPUs are.
struct AdapterMetric {
  std::string name;  ///< as served, without "pods/"; goes into the path
  AdapterScale scale = AdapterScale::percent;
  int rank = 0;  ///< smaller is better
  friend bool operator==(const AdapterMetric&, const AdapterMetric&) = default;
};

/// What the resource `served` of the API's discovery is ("pods/DCGM_FI_DEV_GPU_UTIL", Google's
/// "*/prometheus.googleapis.com|DCGM_FI_DEV_GPU_UTIL|gauge"); nothing for others than metrics of
/// pods about the use of GPUs (spec/telemetry B6).
std::optional<AdapterMetric> adapter_metric(std::string_view served);

}  // namespace gpu::telemetry
