#pragma once

#include <string_view>

#include "model/objects/queue.hpp"
#include "model/objects/scheduling_facts.hpp"

namespace gpu::quota {

/// In which flavor of its ClusterQueue a workload that waits for a resource is counted. Kueue has
/// decided on none yet: it tries them in the order of the queue, so it is the first whose nodes its
/// pods may use, by the first set of pods that requests the resource. Where none fits, the first of
/// all; empty where the queue has no quota of the resource.
std::string_view waiting_flavor(const SchedulingFacts& facts, const ClusterQueue& queue,
                                const QueuedWorkload& workload, std::string_view resource);

}  // namespace gpu::quota
