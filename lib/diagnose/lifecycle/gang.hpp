#pragma once

#include <string_view>

#include "diagnose/answer/explanation.hpp"
#include "model/objects/pod.hpp"
#include "model/snapshot/workload.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Fills in that the pod's group waits, by the message of the gang scheduler: kube-scheduler's own,
/// Volcano, coscheduling. False if the pod has no such message.
bool explain_gang(Explanation& answer, const scheduler::Cluster& cluster, const Pod& pod);

/// The same for an owner whose pods are created only after its group is admitted: Volcano's jobs.
bool explain_gang(Explanation& answer, const scheduler::Cluster& cluster, std::string_view ns,
                  const Owner& owner);

}  // namespace gpu::diagnose
