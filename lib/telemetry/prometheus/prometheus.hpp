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

/// Reads samples of `nodes` from Prometheus into the snapshot: from --prometheus-url, from
/// --prometheus-service, or from the Service found in the cluster; with --since also averages and
/// maxima over that time. `exporters` are pods that are known to export, ready or not: series find
/// their nodes by them. What a Prometheus with GPU metrics does not answer becomes a gap.
PrometheusUse read_prometheus(kube::CollectContext& reading, const std::vector<Exporter>& exporters,
                              const std::set<std::string, std::less<>>& nodes,
                              FoundPrometheus& found);

}  // namespace gpu::telemetry
