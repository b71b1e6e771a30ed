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

/// The pods, among those that were read, that can report live use.
struct TelemetryPods {
  std::vector<Exporter> exporters;
  std::vector<RankedSmiPod> smi;  ///< for --allow-exec
  bool is_whole = false;          ///< all namespaces were seen

  /// Adds `pod` if it is one of these. The same pod may come twice.
  void add(const Pod& pod);
};

/// Whether exporters are scraped, and not only listed.
bool asks_exporters(const kube::MetricsNeeds& needs);

/// Keeps each pod of `found` once, and only those on `gpu_nodes`. Adds the exporters of --exporter,
/// with the nodes of their pods.
void choose_exporters(kube::CollectContext& reading, std::vector<Exporter>& found,
                      const std::set<std::string, std::less<>>& gpu_nodes);

/// What repeated reads of live use remember about Prometheus.
struct KnownPrometheus {
  FoundPrometheus found;
  /// How long it gets no request after it reported nothing; until then its last answer is used.
  std::chrono::milliseconds pause{0};
  kube::Clock::time_point paused_until{};
  bool has_told = false;  ///< the last time
  PrometheusUse silence;
  std::vector<Gap> gaps;  ///< beside those in `silence`
};

/// The part of read_live_metrics() after exporters were read and their samples are in the snapshot:
/// the other sources, the coverage, and gaps.
void conclude_live_metrics(kube::CollectContext& reading, TelemetryPods pods,
                           const std::set<std::string, std::less<>>& gpu_nodes,
                           std::vector<Scraped> scraped, KnownPrometheus& known);

/// Reads live use of the GPU nodes into the snapshot of `reading`, from the sources that its needs
/// name: samples, how much was covered, and a gap for the rest. `pods` are the telemetry pods among
/// the pods that were read. Missing telemetry throws nothing; throws Error{interrupted}, and
/// Error{usage} for mistakes in flags. `known` is what later reads of Prometheus can start from.
void read_live_metrics(kube::CollectContext& reading, TelemetryPods pods,
                       const std::set<std::string, std::less<>>& gpu_nodes, KnownPrometheus& known);

}  // namespace gpu::telemetry
