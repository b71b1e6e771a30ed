#pragma once

#include "model/objects/pod.hpp"
#include "scheduler/filters/refusals.hpp"

namespace gpu::scheduler {

/// NodeName: a pod that names its node fits nowhere else.
void ask_node_name(const Pod& pod, const NodeView& node, Refusals& refusals);

}  // namespace gpu::scheduler
