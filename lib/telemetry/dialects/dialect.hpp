#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "model/sample.hpp"
#include "telemetry/dialects/interpret.hpp"
#include "telemetry/dialects/series.hpp"

namespace gpu::telemetry {

/// What a value says of the metric: its value now, or what became of it over a window.
enum class Aspect { now, average, highest, idle };

/// One series that a dialect reads.
struct DialectSample {
  const Series* series = nullptr;
  std::size_t metric = 0;  ///< place of its name in Dialect::metrics
  Aspect aspect = Aspect::now;
  std::optional<Time> at;  ///< of the sample, or when it was read
};

/// How names are compared with those of a dialect.
enum class NameMatch {
  exact,
  any_case,    ///< without letter case
  any_prefix,  ///< a site may have put anything before the name: "amd_" and "gpu_health"
};

/// One exporter's language: the names it writes, and what they say of devices. One file each.
struct Dialect {
  std::string_view name;                      ///< "dcgm-exporter"
  std::span<const std::string_view> metrics;  ///< names that it reads
  NameMatch match = NameMatch::exact;
  /// Reads the series of these names, in the order in which they came, into devices.
  std::vector<Sample> (*samples)(const std::vector<DialectSample>& told,
                                 const Origin& origin) = nullptr;
};

extern const Dialect kDcgm;        ///< NVIDIA dcgm-exporter, all versions, all-case names
extern const Dialect kNvidiaSmi;   ///< utkuozdemir/nvidia_gpu_exporter
extern const Dialect kHami;        ///< HAMi's monitor, old and new names
extern const Dialect kAmd;         ///< ROCm device-metrics-exporter, with any prefix
extern const Dialect kXpuManager;  ///< Intel XPU Manager 1.x
extern const Dialect kXpumd;       ///< Intel xpumd 2.x (OpenTelemetry names)
extern const Dialect kGaudi;       ///< habana-metric-exporter
extern const Dialect kTpu;         ///< GKE TPU device plugin
extern const Dialect kNeuron;      ///< neuron-monitor
extern const Dialect kAllSmi;      ///< all-smi api

}  // namespace gpu::telemetry
