#pragma once

#include "model/objects/pod.hpp"
#include "model/objects/scheduling_facts.hpp"

namespace gpu::admission {

/// Fills in what admission would: limits as requests, the defaults
/// of LimitRanges, the priority of the pod's class, what its
/// RuntimeClass adds, the tolerations of a DaemonSet's pods.
void admit(Pod& pod, const SchedulingFacts& facts);

/// An admitted pod with the tolerations that its manifest has: without those of its RuntimeClass.
Pod as_written(Pod pod, const SchedulingFacts& facts);

}  // namespace gpu::admission
