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

/// The place in --prometheus-url or --prometheus-service; otherwise the Services of all namespaces
/// that look like Prometheus, best first, of which the first few are tried. Throws Error{usage} or
/// Error{config} for invalid flags.
PrometheusPlaces prometheus_places(kube::CollectContext& reading);

}  // namespace gpu::telemetry
