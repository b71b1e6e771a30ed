#pragma once

#include <optional>

#include "schedule/cause.hpp"
#include "schedule/cluster.hpp"

namespace gpu::schedule {

/// The cause of a new pod of a Deployment that can only fit once an old one has ended: tried by
/// ending the old pods of that Deployment. Nothing where that is not so.
std::optional<Cause> rollout_surge(const Cluster& cluster, const Pod& pod);

}  // namespace gpu::schedule
