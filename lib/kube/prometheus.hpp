#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "kube/exporters.hpp"
#include "kube/reading.hpp"

namespace gpu::kube {

/// Reads samples of `nodes` from Prometheus into the snapshot: by --prometheus-url, by
/// --prometheus-service, or from the Service found in the cluster, and with --since averages and
/// maxima over that time. `exporters` are pods that are known to export, ready or not: by them
/// series find their nodes. What could not be read becomes a gap. Returns the nodes that are told
/// of.
std::set<std::string, std::less<>> read_prometheus(Reading& reading,
                                                   const std::vector<Exporter>& exporters,
                                                   const std::set<std::string, std::less<>>& nodes);

}  // namespace gpu::kube
