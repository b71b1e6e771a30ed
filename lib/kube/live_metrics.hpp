#pragma once

#include <set>
#include <string>
#include <vector>

#include "kube/exporters.hpp"
#include "kube/reading.hpp"

namespace gpu::kube {

/// Reads live use of the GPU nodes into the snapshot of `reading`, from where its needs say:
/// samples, how much was seen, and a gap for what was not. `exporters` are those among the pods
/// that were read. Never throws because telemetry is missing.
void read_live_metrics(Reading& reading, std::vector<Exporter> exporters,
                       const std::set<std::string, std::less<>>& gpu_nodes);

}  // namespace gpu::kube
