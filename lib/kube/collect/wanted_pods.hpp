#pragma once

#include "kube/read/collect_context.hpp"

namespace gpu::kube {

/// Reads how many pods the controllers want of which pods failed before they started
/// (Snapshot::controlled): of ReplicaSets, StatefulSets and ReplicationControllers, of the first
/// few. What may not be read stays unknown, and one pod then stands for the failed ones.
void read_wanted_pods(CollectContext& reading);

}  // namespace gpu::kube
