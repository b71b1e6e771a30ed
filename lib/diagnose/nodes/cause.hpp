#pragma once

#include <string>
#include <vector>

#include "diagnose/nodes/headline_cause.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// Of a verdict over all nodes that does not fit. The order: errors and refusals of the pod itself;
/// names that no node has; labels that no node has; the GPU stack; what is held; then whatever
/// keeps the nearest node away.
Cause cause_of(const scheduler::Cluster& cluster, const Pod& pod, const scheduler::Verdict& verdict,
               const NodeReasons& reasons);

}  // namespace gpu::diagnose
