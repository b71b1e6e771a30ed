#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "metrics/interpret.hpp"
#include "metrics/series.hpp"
#include "model/sample.hpp"

namespace gpu::metrics {

/// One exporter's language: the names it writes, and what they say of devices. One file each.
struct Dialect {
  std::string_view name;                      ///< "dcgm-exporter"
  std::span<const std::string_view> metrics;  ///< names that it reads
  /// Reads the series of these names, in the order in which they came, into devices.
  std::vector<Sample> (*samples)(const std::vector<const Series*>& series, const Origin& origin);
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

}  // namespace gpu::metrics
