#pragma once

#include "kube/read/collect_context.hpp"

namespace gpu::kube {

/// Reads into SchedulingFacts::queue_owners how the owners of Kueue's Workloads have ended, for
/// Workloads that hold quota and have no kept pod below them. Only for the first few; those with
/// the most pods are first. An owner that may not be read stays unknown, and its Workload is judged
/// by its pods alone. Call it after read_owners(), which finds the owners of pods.
void read_queue_owners(CollectContext& reading);

}  // namespace gpu::kube
