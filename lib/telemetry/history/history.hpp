#pragma once

#include "kube/read/collect_context.hpp"
#include "telemetry/prometheus/prometheus.hpp"

namespace gpu::telemetry {

/// Reads into the snapshot the pods with GPUs that are no longer listed, from kube-state-metrics'
/// metrics in Prometheus, over the time of --since. `found` is where Prometheus is, if it is known
/// already. What cannot be read becomes a gap. Call it after nodes, pods and owners were read.
/// Missing metrics throw nothing; throws Error{interrupted}, and Error{usage} for mistakes in
/// flags.
void read_history(kube::CollectContext& reading, FoundPrometheus& found);

}  // namespace gpu::telemetry
