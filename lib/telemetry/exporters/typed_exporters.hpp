#pragma once

#include <vector>

#include "kube/read/collect_context.hpp"
#include "telemetry/exporters/exporters.hpp"

namespace gpu::telemetry {

/// The exporters of --exporter, with what their pods say of node, address and port. One whose pod
/// or port is not there is left out, and a gap says so with the nearest name. Throws Error{usage}
/// for what names no port of a pod.
std::vector<Exporter> typed_exporters(kube::CollectContext& reading);

}  // namespace gpu::telemetry
