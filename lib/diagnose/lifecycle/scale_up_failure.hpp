#pragma once

#include "diagnose/lifecycle/autoscaler.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The newest event that says that a cloud did not give a node: of the pod itself, else of a
/// NodeClaim since the pod waits, as Karpenter says it of that alone. Null: none.
const Event* newest_failure(const scheduler::Cluster& cluster, const Pod& pod);

/// Whether a scale-up since the cloud's refusal is of another group than the one that was refused,
/// and nothing says that its nodes have the GPUs: the refusal is still what the pod waits for.
bool is_of_another_group(const scheduler::Cluster& cluster, const Pod& pod, const Event& newest,
                         const Event& failure);

/// What a failure means: the cloud's quota or stock, and what helps.
AutoscalerWord failed_scale_up(const Event& failure, const Pod& pod, Code reason);

}  // namespace gpu::diagnose
