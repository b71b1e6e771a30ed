#pragma once

#include <optional>
#include <vector>

#include "base/time.hpp"
#include "cost/rows/cost_row.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::cost {

/// `lines` by owner, with what the Jobs of the snapshot say of their pods that are gone: how many,
/// and about what they held. A Job of which no pod is left is a row, too. Of owners that count no
/// pods, what is seen is a lower bound, unless the snapshot's history has those that are gone. With
/// `from`, of the time since then alone.
std::vector<CostRow> owner_rows(const std::vector<CostLine>& lines, const Snapshot& snapshot,
                                const std::optional<Time>& now,
                                const std::optional<Time>& from = {});

}  // namespace gpu::cost
