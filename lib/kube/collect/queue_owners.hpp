#pragma once

#include "kube/read/collect_context.hpp"

namespace gpu::kube {

/// Reads what Kueue's Workloads stand for, as far as these hold quota and no kept pod is below
/// them, into SchedulingFacts::queue_owners: how they have ended. Of the first few, those with the
/// most pods first. What may not be read stays unknown: such a Workload is judged by its pods
/// alone. Call it after read_owners(), which knows what stands above pods.
void read_queue_owners(CollectContext& reading);

}  // namespace gpu::kube
