#pragma once

#include <string>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::admission {

/// The name of a quota of the pod's namespace that lets no pod more like it in; empty where none is
/// known.
std::string full_quota(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::admission
