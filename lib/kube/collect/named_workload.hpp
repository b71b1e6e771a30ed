#pragma once

#include <string>

#include "kube/read/collect_context.hpp"

namespace gpu::kube {

/// Reads the object of Needs::workload itself into SchedulingFacts::workload_objects, in the first
/// version of its kind that the API has. What may not be read becomes a Gap. Throws Error{usage}
/// with the nearest names for an object that does not exist, and for a kind that the API lacks.
void read_named_workload(CollectContext& reading);

/// "job/train": how an object is named to kubectl.
std::string word_of(const NamedWorkload& workload);

}  // namespace gpu::kube
