#pragma once

#include <string>
#include <vector>

#include "diagnose/nodes/headline_cause.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// The cause of a verdict over all nodes that does not fit. It is searched in this order: errors
/// and refusals of the pod itself; names that no node has; labels that no node has; the GPU stack;
/// what other pods hold; then the blockers of the nearest node.
Cause cause_of(const scheduler::Cluster& cluster, const Pod& pod, const scheduler::Verdict& verdict,
               const NodeReasons& reasons);

}  // namespace gpu::diagnose
