#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "decode/objects/pod_template.hpp"

namespace gpu::manifest {

/// What else an object, or its template, tells Kueue: a priority, fewer pods, a topology. Nobody
/// judges these: "its WorkloadPriorityClass high, which decides who waits before it".
std::vector<std::string> unjudged_queueing(const nlohmann::json& object,
                                           const decode::PodTemplate& made);

}  // namespace gpu::manifest
