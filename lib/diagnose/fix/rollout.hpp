#pragma once

#include <optional>

#include "diagnose/nodes/cause.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The cause of a new pod of a Deployment that can only fit once an old one has ended: tried by
/// ending the old pods of that Deployment. Nothing where that is not so.
std::optional<Cause> rollout_surge(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
