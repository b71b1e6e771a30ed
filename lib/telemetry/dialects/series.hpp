#pragma once

#include <optional>
#include <string>

#include "base/flat_map.hpp"
#include "base/time.hpp"

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

}  // namespace gpu::telemetry
