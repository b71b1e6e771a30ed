#pragma once

#include <optional>

#include "base/time.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The answer for one pod, from `request`, the answer that all pods of the same request share: with
/// what the scheduler, an autoscaler and its Deployment make of this very pod.
Explanation own_answer(Explanation request, const scheduler::Cluster& cluster, const Pod& pod,
                       const std::optional<Time>& now);

}  // namespace gpu::diagnose
