#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "base/flat_map.hpp"
#include "base/time.hpp"
#include "model/gpu/sample.hpp"

namespace gpu::telemetry {

/// One sample line of an exporter's text, or one element of a query's answer. An empty label value
/// means the same as no label, and is left out.
struct Series {
  std::string name;
  StringMap labels;
  double value = 0;        ///< may be NaN or infinite
  std::optional<Time> at;  ///< where the text says it
  friend bool operator==(const Series&, const Series&) = default;
};

/// Where series come from.
struct Origin {
  MetricSource source = MetricSource::exporter;
  std::string exporter;         ///< "NAMESPACE/POD"; empty when that is not known
  std::string node;             ///< of that pod; empty for Prometheus: labels say it
  std::optional<Time> read_at;  ///< what series without a time get
  /// How often the exporter measures, if its pod says so; otherwise the dialect's usual interval
  /// applies.
  std::optional<std::chrono::milliseconds> interval = {};
};

}  // namespace gpu::telemetry
