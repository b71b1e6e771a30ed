#pragma once

#include "model/gpu/gpu_resource.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Whether there is a sign that a node should have GPUs of the maker of `asked`, although it
/// advertises none and no label or instance type says so (pools_of() reads these). A sign is a
/// taint with the name of a GPU resource, a card of this maker that node feature discovery found, a
/// pod of a device plugin whose DaemonSet selects nodes, or an autoscaler that added the node for a
/// pod that requests such GPUs.
bool is_promised(const scheduler::Cluster& cluster, const scheduler::NodeState& node,
                 const GpuResource& asked);

}  // namespace gpu::diagnose
