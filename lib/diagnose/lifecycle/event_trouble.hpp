#pragma once

#include <optional>

#include "diagnose/lifecycle/trouble.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// What the newest warning about a bound pod means, if its kind is known. A warning counts for
/// nothing if newer events show that it is over: the volume was attached since, or the image
/// pulled.
std::optional<Trouble> event_trouble(const scheduler::Cluster& cluster, const Pod& pod);

/// The newest warning of any other kind that is not over; null where there is none.
const Event* newest_warning(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
