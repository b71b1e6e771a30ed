#pragma once

#include <optional>

#include "diagnose/answer/explanation.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// What would help a pod that no change to existing objects helps: a node like one that would fit
/// if it were empty and healthy; or to request no more than a node that the pod selects has; or
/// another host port. Nothing if none of them does.
std::optional<Advice> room_advice(const scheduler::Cluster& cluster, const Pod& pod,
                                  const scheduler::Verdict& verdict, const NodeReasons& reasons);

/// Whether an advice is to add a node, which is useless if the autoscaler may not add one.
bool asks_for_node(const Advice& advice);

}  // namespace gpu::diagnose
