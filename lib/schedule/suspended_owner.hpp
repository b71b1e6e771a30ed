#pragma once

#include <string_view>

#include "schedule/cluster.hpp"
#include "schedule/explanation.hpp"

namespace gpu::schedule {

/// Why an owner is suspended, and how it goes on: Kueue looks after it, or somebody suspended it.
/// `object` is null where only events tell of it.
void explain_suspended(Explanation& answer, const SchedulingFacts& facts,
                       const WorkloadObject* object);

/// A Job's newest word about being suspended, while its controller's events last; null once it is
/// resumed.
const Event* suspension(const Cluster& cluster, std::string_view ns, const Owner& owner);

}  // namespace gpu::schedule
