#pragma once

#include <string_view>

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Why an owner is suspended, and how it resumes: Kueue manages it, or someone suspended it.
/// `object` is null if only events show the suspension.
void explain_suspended(Explanation& answer, const SchedulingFacts& facts,
                       const WorkloadObject* object);

/// A Job's newest event about being suspended, while such events are kept; null once the Job is
/// resumed.
const Event* suspension(const scheduler::Cluster& cluster, std::string_view ns, const Owner& owner);

}  // namespace gpu::diagnose
