#pragma once

#include <string_view>
#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::scheduler {

/// The events of one object, newest first. By uid where both sides have one: a name may be used
/// again.
std::vector<const Event*> events_of(const Cluster& cluster, std::string_view kind,
                                    std::string_view ns, std::string_view name,
                                    std::string_view uid);
std::vector<const Event*> events_of(const Cluster& cluster, const Pod& pod);

}  // namespace gpu::scheduler
