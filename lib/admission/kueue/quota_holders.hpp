#pragma once

#include <string_view>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "model/objects/queue.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::admission {

/// How much of a ClusterQueue's quota is gone, who of its cohort has borrowed, and which Workloads
/// hold it, biggest first: of the resources and flavors that `words`, Kueue's, name.
std::vector<diagnose::Remark> quota_remarks(const scheduler::Cluster& cluster,
                                            const ClusterQueue& queue, std::string_view words);

/// "ml/train": the Job that a Workload stands for, else itself.
std::string shown_name(const QueuedWorkload& workload);

}  // namespace gpu::admission
