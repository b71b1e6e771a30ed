#pragma once

#include <optional>

#include "diagnose/lifecycle/trouble.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// What the newest warning about a bound pod tells, of a kind that is known. One that newer events
/// show to be over tells nothing: a volume was attached since, or an image pulled.
std::optional<Trouble> event_trouble(const scheduler::Cluster& cluster, const Pod& pod);

/// The newest warning of any other kind that is not over; null where there is none.
const Event* newest_warning(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
