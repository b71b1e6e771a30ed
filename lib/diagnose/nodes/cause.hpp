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

/// "4 H100 GPUs", "1 nvidia.com/mig-1g.10gb", "32 cpu": what the pod needs, most telling first.
std::string need_text(const scheduler::Cluster& cluster, const Pod& pod,
                      const NodeReasons& reasons);

/// "H100": the model of the GPUs that the pod selects by a label, or that all nodes with words
/// other than a selector have; empty where there are several.
std::string model_of(const Pod& pod);

}  // namespace gpu::diagnose
