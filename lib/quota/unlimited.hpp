#pragma once

#include <vector>

#include "quota/row.hpp"
#include "quota/volcano_queues.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::quota {

/// A row for each namespace and resource of GPUs that bound pods hold there, and that none of
/// `limits`, and no queue, counts. Nothing where a kind of limit was not read everywhere.
std::vector<QuotaRow> unlimited_rows(const scheduler::Cluster& cluster,
                                     const std::vector<QuotaRow>& limits,
                                     const VolcanoQueues& volcano);

}  // namespace gpu::quota
