#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kube/read/collect_context.hpp"
#include "model/objects/gap.hpp"
#include "telemetry/exporters/exporters.hpp"
#include "telemetry/prometheus/discovery.hpp"

namespace gpu::telemetry {

/// What Prometheus reported.
struct PrometheusUse {
  std::set<std::string, std::less<>> nodes;  ///< nodes with samples
  std::string place;                         ///< that knows GPUs, as people name it; empty: none
  std::vector<Gap> missing;  ///< why there is none: the caller decides whether it matters
};

/// Where Prometheus was found, for repeated reads: it is searched once, and again after none of the
/// places reported GPUs.
using FoundPrometheus = std::optional<PrometheusPlaces>;

/// Reads samples of `nodes` from Prometheus into the snapshot: by --prometheus-url, by
/// --prometheus-service, or from the Service found in the cluster, and with --since averages and
/// maxima over that time. `exporters` are pods that are known to export, ready or not: by them
/// series find their nodes. What could not be read of one that knows GPUs becomes a gap.
PrometheusUse read_prometheus(kube::CollectContext& reading, const std::vector<Exporter>& exporters,
                              const std::set<std::string, std::less<>>& nodes,
                              FoundPrometheus& found);

}  // namespace gpu::telemetry
