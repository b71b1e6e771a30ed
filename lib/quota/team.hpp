#pragma once

#include <string_view>

#include "quota/answer.hpp"
#include "quota/volcano_queues.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::quota {

/// Leaves what is about the things that are called `team`: of a namespace also the queues that it
/// uses, of a queue what stands above it and what is put into it, of a cohort its queues. Throws
/// Error{usage} where nothing is called so.
void keep_team(QuotaAnswer& answer, const scheduler::Cluster& cluster, const VolcanoQueues& volcano,
               std::string_view team);

}  // namespace gpu::quota
