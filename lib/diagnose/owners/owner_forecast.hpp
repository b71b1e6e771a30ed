#pragma once

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Adds to the answer for an owner without pods what its pods request, and whether they would start
/// once they are created.
void add_forecast(Explanation& answer, const scheduler::Cluster& cluster,
                  const WorkloadObject& object);

/// Adds what the missing pods of an object request, if it has only some of its pods: the requests
/// of each, and the GPUs of all.
void add_missing(Explanation& answer, const scheduler::Cluster& cluster,
                 const WorkloadObject& object);

}  // namespace gpu::diagnose
