#pragma once

#include <vector>

#include "kube/read/collect_context.hpp"
#include "telemetry/exporters/exporters.hpp"

namespace gpu::telemetry {

/// The exporters of --exporter, with node, address and port of their pods. One whose pod or port
/// does not exist is left out, and a gap says so with the nearest name. Throws Error{usage} for a
/// value that names no port of a pod.
std::vector<Exporter> typed_exporters(kube::CollectContext& reading);

}  // namespace gpu::telemetry
