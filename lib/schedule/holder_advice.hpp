#pragma once

#include <optional>

#include "schedule/cluster.hpp"
#include "schedule/explain.hpp"
#include "schedule/explanation.hpp"
#include "schedule/node_reason.hpp"
#include "schedule/verdict.hpp"

namespace gpu::schedule {

/// Names who holds what the pod needs where no fix ends them, because nobody knows here how their
/// owner is told to: a Notebook, a PyTorchJob. Without these pods the pod fits: tried. Of all nodes
/// the holders that cost least. Nothing where pods that end already make room.
std::optional<Advice> holder_advice(const Cluster& cluster, const Pod& pod, const Verdict& verdict,
                                    const NodeReasons& reasons, const ExplainOptions& options);

}  // namespace gpu::schedule
