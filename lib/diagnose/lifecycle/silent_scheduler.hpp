#pragma once

#include <optional>

#include "base/time.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Of a pod that would fit: blocked after all where its scheduler has said nothing of it for
/// minutes. Then that scheduler does not run, or does not keep up.
void doubt_silent_scheduler(Explanation& answer, const scheduler::Cluster& cluster, const Pod& pod,
                            const std::optional<Time>& now);

}  // namespace gpu::diagnose
