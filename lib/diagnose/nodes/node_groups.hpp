#pragma once

#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// Puts every judged node into exactly one group, by the kinds of all its blockers: groups with the
/// fewest kinds first, then those whose best node has most of the requested GPUs; nodes without
/// GPUs last.
std::vector<NodeGroup> groups_of(const scheduler::Cluster& cluster, const Pod& pod,
                                 const scheduler::Verdict& verdict, const NodeReasons& reasons);

}  // namespace gpu::diagnose
