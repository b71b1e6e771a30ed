#pragma once

#include <set>
#include <string>
#include <vector>

#include "kube/exporters.hpp"
#include "kube/reading.hpp"
#include "kube/smi_pods.hpp"
#include "model/pod.hpp"

namespace gpu::kube {

/// What among the pods that were read tells of live use.
struct TelemetryPods {
  std::vector<Exporter> exporters;
  std::vector<RankedSmiPod> smi;  ///< for --allow-exec
  bool is_whole = false;          ///< all namespaces were seen

  /// Takes `pod` in if it is one. The same pod may come twice.
  void add(const Pod& pod);
};

/// Reads live use of the GPU nodes into the snapshot of `reading`, from where its needs say:
/// samples, how much was seen, and a gap for what was not. `pods` are those among the pods that
/// were read. Never throws because telemetry is missing, only Error{interrupted}, and Error{usage}
/// for what was typed.
void read_live_metrics(Reading& reading, TelemetryPods pods,
                       const std::set<std::string, std::less<>>& gpu_nodes);

}  // namespace gpu::kube
