#pragma once

#include <string>
#include <string_view>

#include "model/snapshot/planned_pod.hpp"

namespace gpu::manifest {

/// Reads YAML or JSON, of several documents too: Pods, the kinds that own pods, other kinds with a
/// spec.template of pods, claims for devices and volumes, autoscalers, Lists of these. All other
/// kinds are passed over. `name` is the file's, and stands before what is said of the text; `ns` is
/// where an object without a namespace goes. Throws Error{usage} with line and column for what is
/// not YAML or JSON, for a field that is not what it should be, and for pods without containers.
PlannedObjects read_manifest(std::string_view text, const std::string& name, const std::string& ns);

}  // namespace gpu::manifest
