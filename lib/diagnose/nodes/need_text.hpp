#pragma once

#include <string>

#include "diagnose/nodes/node_reason.hpp"
#include "model/objects/pod.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// "4 H100 GPUs", "1 nvidia.com/mig-1g.10gb": an amount of a resource, with the GPU model that the
/// pod selects.
std::string gpus_text(const scheduler::Cluster& cluster, const Pod& pod,
                      const scheduler::Amount& gpu);

/// "4 H100 GPUs", "1 nvidia.com/mig-1g.10gb", "32 cpu": the pod's requests, the most important
/// first.
std::string need_text(const scheduler::Cluster& cluster, const Pod& pod,
                      const NodeReasons& reasons);

/// "H100": the model of the GPUs that the pod selects by a label; empty where it selects none.
std::string model_of(const Pod& pod);

}  // namespace gpu::diagnose
