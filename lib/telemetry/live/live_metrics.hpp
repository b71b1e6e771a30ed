#pragma once

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "kube/read/collect_context.hpp"
#include "model/objects/pod.hpp"
#include "telemetry/exporters/exporters.hpp"
#include "telemetry/exporters/scrape.hpp"
#include "telemetry/live/smi_pods.hpp"
#include "telemetry/prometheus/prometheus.hpp"

namespace gpu::telemetry {

/// What among the pods that were read tells of live use.
struct TelemetryPods {
  std::vector<Exporter> exporters;
  std::vector<RankedSmiPod> smi;  ///< for --allow-exec
  bool is_whole = false;          ///< all namespaces were seen

  /// Takes `pod` in if it is one. The same pod may come twice.
  void add(const Pod& pod);
};

/// Whether exporters are read, and not only known.
bool asks_exporters(const kube::MetricsNeeds& needs);

/// Leaves of `found` each pod once, those on `gpu_nodes`, and adds those that were typed, with the
/// nodes that their pods are on.
void choose_exporters(kube::CollectContext& reading, std::vector<Exporter>& found,
                      const std::set<std::string, std::less<>>& gpu_nodes);

/// What one who reads live use again and again remembers of Prometheus.
struct KnownPrometheus {
  FoundPrometheus found;
  /// For how long it is left alone once it told nothing; meanwhile its last word stands.
  std::chrono::milliseconds pause{0};
  kube::Clock::time_point paused_until{};
  bool has_told = false;  ///< the last time
  PrometheusUse silence;
  std::vector<Gap> gaps;  ///< beside those in `silence`
};

/// What read_live_metrics() does once exporters were read, and their samples are in the snapshot:
/// the other sources, how much was seen, and gaps.
void conclude_live_metrics(kube::CollectContext& reading, TelemetryPods pods,
                           const std::set<std::string, std::less<>>& gpu_nodes,
                           std::vector<Scraped> scraped, KnownPrometheus& known);

/// Reads live use of the GPU nodes into the snapshot of `reading`, from where its needs say:
/// samples, how much was seen, and a gap for what was not. `pods` are those among the pods that
/// were read. Never throws because telemetry is missing, only Error{interrupted}, and Error{usage}
/// for what was typed. `known` is what others who ask Prometheus may go on with.
void read_live_metrics(kube::CollectContext& reading, TelemetryPods pods,
                       const std::set<std::string, std::less<>>& gpu_nodes, KnownPrometheus& known);

}  // namespace gpu::telemetry
