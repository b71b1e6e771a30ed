#pragma once

#include <optional>

#include "diagnose/answer/explanation.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// What would help a pod that no change of what there is helps: a node like one that would take it,
/// were it empty and well; or to ask for less than no node that it selects has. Nothing where
/// neither does.
std::optional<Advice> room_advice(const scheduler::Cluster& cluster, const Pod& pod,
                                  const scheduler::Verdict& verdict, const NodeReasons& reasons);

/// Whether an advice asks for another node: of no use where an autoscaler may add none.
bool asks_for_node(const Advice& advice);

}  // namespace gpu::diagnose
