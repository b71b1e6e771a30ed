#pragma once

#include "kube/read/collect_context.hpp"
#include "telemetry/prometheus/prometheus.hpp"

namespace gpu::telemetry {

/// Reads pods with GPUs that are listed no more into the snapshot: what Prometheus keeps of
/// kube-state-metrics over the time of --since. `found` is where Prometheus is, if that is known
/// already. What cannot be read is a gap. Called once nodes, pods and owners are read. Never throws
/// because metrics are missing, only Error{interrupted}, and Error{usage} for what was typed.
void read_history(kube::CollectContext& reading, FoundPrometheus& found);

}  // namespace gpu::telemetry
