#pragma once

#include <optional>

#include "diagnose/nodes/cause.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The cause of a new pod that can fit only after an older version of it has ended, which its owner
/// keeps until the new one runs: of a Deployment or Rollout, also below an InferenceService, a
/// Knative Configuration, a RayService, a LeaderWorkerSet, or a StatefulSet. A trial without the
/// old pods shows it. Nothing if this is not the cause.
std::optional<Cause> rollout_surge(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
