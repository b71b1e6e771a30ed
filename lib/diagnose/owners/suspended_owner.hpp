#pragma once

#include <string_view>

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Why an owner is suspended, and how it goes on: Kueue looks after it, or somebody suspended it.
/// `object` is null where only events tell of it.
void explain_suspended(Explanation& answer, const SchedulingFacts& facts,
                       const WorkloadObject* object);

/// A Job's newest word about being suspended, while its controller's events last; null once it is
/// resumed.
const Event* suspension(const scheduler::Cluster& cluster, std::string_view ns, const Owner& owner);

}  // namespace gpu::diagnose
