#pragma once

#include <optional>

#include "schedule/cluster.hpp"
#include "schedule/trouble.hpp"

namespace gpu::schedule {

/// What the newest warning about a bound pod tells, of a kind that is known. One that newer events
/// show to be over tells nothing: a volume was attached since, or an image pulled.
std::optional<Trouble> event_trouble(const Cluster& cluster, const Pod& pod);

/// The newest warning of any other kind that is not over; null where there is none.
const Event* newest_warning(const Cluster& cluster, const Pod& pod);

}  // namespace gpu::schedule
