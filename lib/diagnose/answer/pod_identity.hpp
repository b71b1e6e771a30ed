#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// What every explanation of a pod begins with: its name and owner, how long it has waited, what it
/// requests, and what limits it to some nodes.
Explanation identity_of(const scheduler::Cluster& cluster, const Pod& pod,
                        const std::optional<Time>& now);

/// Sorts requests for people: GPUs first, then cpu and memory, then the rest by name.
void sort_asks(std::vector<ResourceRequest>& asks);

/// How many GPU devices of all kinds a pod requests. Of its claims, those count whose class or
/// driver is for GPUs.
std::int64_t gpus_asked(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
