#pragma once

#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// Every judged node in exactly one group, by the kinds of all that rules it out: fewest kinds
/// first, then the one whose best node has most of the GPUs that the pod asks for; nodes without
/// GPUs last.
std::vector<NodeGroup> groups_of(const scheduler::Cluster& cluster, const Pod& pod,
                                 const scheduler::Verdict& verdict, const NodeReasons& reasons);

}  // namespace gpu::diagnose
