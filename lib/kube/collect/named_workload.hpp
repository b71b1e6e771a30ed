#pragma once

#include <string>

#include "kube/read/collect_context.hpp"

namespace gpu::kube {

/// Reads the objects of Needs::workloads themselves into SchedulingFacts::workload_objects, each in
/// the first version of its kind that the API has. What may not be read becomes a Gap. Throws
/// Error{usage} with the nearest names for an object that does not exist, and for a kind that the
/// API lacks, where it is the only one.
void read_named_workload(CollectContext& reading);

/// "job/train": how an object is named to kubectl.
std::string word_of(const NamedWorkload& workload);

}  // namespace gpu::kube
