#pragma once

#include <optional>

#include "diagnose/nodes/cause.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The cause of a new pod that can only fit once an older form of it has ended, which its owner
/// keeps until the new one runs: of a Deployment or Rollout, also below an InferenceService, a
/// Knative Configuration, a RayService, a LeaderWorkerSet, or a StatefulSet. Tried by ending the
/// old pods. Nothing where that is not so.
std::optional<Cause> rollout_surge(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
