#pragma once

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Adds to the answer for an owner without pods what would come after: what they ask for, and
/// whether they would start once they are made.
void add_forecast(Explanation& answer, const scheduler::Cluster& cluster,
                  const WorkloadObject& object);

/// Adds what the pods ask for that an object lacks, of which it has some: each of them, and the
/// GPUs of all.
void add_missing(Explanation& answer, const scheduler::Cluster& cluster,
                 const WorkloadObject& object);

}  // namespace gpu::diagnose
