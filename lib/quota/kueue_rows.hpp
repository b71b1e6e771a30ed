#pragma once

#include <vector>

#include "quota/cards.hpp"
#include "quota/kueue_counts.hpp"
#include "quota/row.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::quota {

/// A row for each flavor's quota of GPUs of each Cohort, ClusterQueue and LocalQueue, and for each
/// resource of GPUs that waits in a LocalQueue whose ClusterQueue does not exist.
std::vector<QuotaRow> kueue_rows(const scheduler::Cluster& cluster, const Cards& cards,
                                 const KueueCounts& counts);

}  // namespace gpu::quota
