#pragma once

#include <vector>

#include "quota/row.hpp"
#include "quota/waits.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::quota {

/// Lets the rows of ResourceQuotas count the owners whose pods they refuse, and tells who they are
/// and whose pods hold the quota. An owner is one whose newest event about making pods is a refusal
/// by a quota that still has no room for it; where events were not all read, nothing is known.
std::vector<Wait> count_refused(const scheduler::Cluster& cluster, std::vector<QuotaRow>& rows);

}  // namespace gpu::quota
