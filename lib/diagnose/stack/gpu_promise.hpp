#pragma once

#include "model/gpu/gpu_resource.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Whether something promises GPUs of the maker of `asked` on a node that neither advertises any
/// nor has a label or an instance type that tells of them (pools_of() knows of these): a taint with
/// the name of a GPU resource, or a pod of a device plugin whose DaemonSet selects nodes. Which
/// node group an autoscaler added for a pod is not looked at.
bool is_promised(const scheduler::Cluster& cluster, const scheduler::NodeState& node,
                 const GpuResource& asked);

}  // namespace gpu::diagnose
