#pragma once

#include <optional>

#include "schedule/cluster.hpp"
#include "schedule/explanation.hpp"
#include "schedule/node_reason.hpp"
#include "schedule/verdict.hpp"

namespace gpu::schedule {

/// What would help a pod that no change of what there is helps: a node like one that would take it,
/// were it empty and well; or to ask for less than no node that it selects has. Nothing where
/// neither does.
std::optional<Advice> room_advice(const Cluster& cluster, const Pod& pod, const Verdict& verdict,
                                  const NodeReasons& reasons);

/// Whether an advice asks for another node: of no use where an autoscaler may add none.
bool asks_for_node(const Advice& advice);

}  // namespace gpu::schedule
