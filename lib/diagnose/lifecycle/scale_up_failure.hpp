#pragma once

#include "diagnose/lifecycle/autoscaler.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The newest event that reports that a cloud did not create a node: an event of the pod itself,
/// otherwise of a NodeClaim since the pod waits, because Karpenter reports it only there. Null:
/// none.
const Event* newest_failure(const scheduler::Cluster& cluster, const Pod& pod);

/// Whether a scale-up since the cloud's refusal is for another group than the refused one, and
/// nothing says that its nodes have the GPUs: the pod then still waits for the refused group.
bool is_of_another_group(const scheduler::Cluster& cluster, const Pod& pod, const Event& newest,
                         const Event& failure);

/// What a failure means: the cloud's quota or stock, and what helps.
AutoscalerWord failed_scale_up(const Event& failure, const Pod& pod, Code reason);

}  // namespace gpu::diagnose
