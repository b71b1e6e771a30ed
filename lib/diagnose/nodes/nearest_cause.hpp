#pragma once

#include <string>
#include <vector>

#include "diagnose/nodes/candidates.hpp"
#include "diagnose/nodes/headline_cause.hpp"

namespace gpu::diagnose {

/// The reason if no node lacks only room or only its GPU stack: what rules out all nodes that could
/// fit, otherwise the blockers of the nearest node. `candidates` has at least one.
Cause nearest_cause(const scheduler::Cluster& cluster, const Pod& pod, const NodeReasons& reasons,
                    const std::vector<Candidate>& candidates);

/// For the table of all pods: "gpu-a4, if uncordoned", "gpu-2 (1 free)".
std::string nearest_text(const scheduler::Cluster& cluster, const Pod& pod,
                         const NodeReasons& reasons, const std::vector<Candidate>& candidates);

}  // namespace gpu::diagnose
