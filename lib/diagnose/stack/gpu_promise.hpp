#pragma once

#include "model/gpu/gpu_resource.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Whether something promises GPUs of the maker of `asked` on a node that neither advertises any
/// nor has a label or an instance type that tells of them (pools_of() knows of these): a taint with
/// the name of a GPU resource, a card of theirs that node feature discovery saw, a pod of a device
/// plugin whose DaemonSet selects nodes, or an autoscaler that added the node for a pod that
/// requests such GPUs.
bool is_promised(const scheduler::Cluster& cluster, const scheduler::NodeState& node,
                 const GpuResource& asked);

}  // namespace gpu::diagnose
