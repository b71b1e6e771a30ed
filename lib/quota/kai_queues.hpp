#pragma once

#include <vector>

#include "quota/row.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::quota {

/// A row for each Queue of KAI that limits GPUs, has some, or in which pods wait for some. A MIG
/// slice counts there as its share of a card, and a part of a card as that part.
std::vector<QuotaRow> kai_rows(const scheduler::Cluster& cluster);

/// Whether a pod waits for KAI.
bool waits_for_kai(const Pod& pod);

}  // namespace gpu::quota
