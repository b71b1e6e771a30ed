#pragma once

#include <optional>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// Names who holds what the pod needs where no fix ends them, because nobody knows here how their
/// owner is told to: a Notebook, a PyTorchJob. Without these pods the pod fits: tried. Of all nodes
/// the holders that cost least. Nothing where pods that end already make room.
std::optional<Advice> holder_advice(const scheduler::Cluster& cluster, const Pod& pod,
                                    const scheduler::Verdict& verdict, const NodeReasons& reasons,
                                    const ExplainOptions& options);

}  // namespace gpu::diagnose
