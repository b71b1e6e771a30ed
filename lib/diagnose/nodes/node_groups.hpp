#pragma once

#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// Every judged node in exactly one group, by the kinds of all that rules it out: fewest kinds
/// first, then the one whose best node has most of the GPUs that the pod asks for; nodes without
/// GPUs last.
std::vector<NodeGroup> groups_of(const scheduler::Cluster& cluster,
                                 const scheduler::Verdict& verdict, const NodeReasons& reasons);

/// What a node has of the GPUs that the pod asks for: "8 free", "only MIG slices"; empty where it
/// has none, or the pod asks for none.
std::string note_of(const scheduler::Cluster& cluster, std::size_t node,
                    const NodeReasons& reasons);

/// How much of what the pod asks for is free on a node, of the resource that is shortest: 1 where
/// all of it is.
double share_free_on(std::size_t node, const NodeReasons& reasons);

/// How many of the GPUs that the pod asks for are free on a node, over all kinds of them.
std::int64_t free_gpus_on(std::size_t node, const NodeReasons& reasons);

}  // namespace gpu::diagnose
