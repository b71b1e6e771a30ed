#pragma once

#include <string>

#include "schedule/cluster.hpp"

namespace gpu::schedule {

/// The name of a quota of the pod's namespace that lets no pod more like it in; empty where none is
/// known.
std::string full_quota(const Cluster& cluster, const Pod& pod);

}  // namespace gpu::schedule
