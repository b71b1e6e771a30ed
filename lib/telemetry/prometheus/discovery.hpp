#pragma once

#include <string>
#include <vector>

#include "kube/read/collect_context.hpp"
#include "model/objects/gap.hpp"
#include "telemetry/prometheus/place.hpp"

namespace gpu::telemetry {

/// The places where Prometheus may answer.
struct PrometheusPlaces {
  std::vector<PrometheusPlace> places;  ///< best first; those of the cluster answered already
  std::vector<Gap> gaps;                ///< why there are none, or fewer
};

/// By --prometheus-url or --prometheus-service; else the Services of all namespaces that look like
/// it, best first, of which the first few are tried. Throws Error{usage} or Error{config} for flags
/// that cannot be meant.
PrometheusPlaces prometheus_places(kube::CollectContext& reading);

}  // namespace gpu::telemetry
