#pragma once

#include "model/pod.hpp"
#include "schedule/cluster.hpp"
#include "schedule/explanation.hpp"

namespace gpu::schedule {

/// Says that the pod's group waits, by the words of the scheduler of groups: kube-scheduler's own,
/// Volcano, coscheduling. False where the pod has no such words.
bool explain_gang(Explanation& answer, const Cluster& cluster, const Pod& pod);

}  // namespace gpu::schedule
