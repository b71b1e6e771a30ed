#pragma once

#include "kube/read/collect_context.hpp"

namespace gpu::kube {

/// Reads into Snapshot::controlled how many pods the controllers of failed pods want, for pods that
/// failed before they started: ReplicaSets, StatefulSets and ReplicationControllers, of the first
/// few. A controller that may not be read stays unknown. One pod then counts for all of its failed
/// ones.
void read_wanted_pods(CollectContext& reading);

}  // namespace gpu::kube
