#pragma once

#include <optional>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// Names the pods that hold what `pod` needs if no fix can end them, because `kubectl gpu` does not
/// know how to scale their owner down: a Notebook, a PyTorchJob. A trial has shown that the pod
/// fits without them. Of all nodes, takes the holders of the least EvictionCost. Nothing if pods
/// that are ending already make room.
std::optional<Advice> holder_advice(const scheduler::Cluster& cluster, const Pod& pod,
                                    const scheduler::Verdict& verdict, const NodeReasons& reasons,
                                    const ExplainOptions& options);

}  // namespace gpu::diagnose
