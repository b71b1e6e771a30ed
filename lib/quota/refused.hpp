#pragma once

#include <vector>

#include "quota/row.hpp"
#include "quota/waits.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::quota {

/// Lets the rows of ResourceQuotas count the pods that they refuse, and tells whose they are and
/// which pods hold the quota. A pod counts that an owner still lacks, if the owner's newest event
/// about creating pods is a refusal by a quota that has no room for it now. Where it is not known
/// how many pods an owner lacks, 1 counts; owners that do not exist any more do not count. Nothing
/// is known where events were not all read.
std::vector<Wait> count_refused(const scheduler::Cluster& cluster, std::vector<QuotaRow>& rows);

}  // namespace gpu::quota
