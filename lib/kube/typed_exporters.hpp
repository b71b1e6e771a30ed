#pragma once

#include <vector>

#include "kube/exporters.hpp"
#include "kube/reading.hpp"

namespace gpu::kube {

/// The exporters of --exporter, with what their pods say of node, address and port. One whose pod
/// or port is not there is left out, and a gap says so with the nearest name. Throws Error{usage}
/// for what names no port of a pod.
std::vector<Exporter> typed_exporters(Reading& reading);

}  // namespace gpu::kube
