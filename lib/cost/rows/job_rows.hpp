#pragma once

#include <optional>
#include <vector>

#include "base/time.hpp"
#include "cost/rows/cost_row.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::cost {

/// `lines` by owner, with what the Jobs of the snapshot report about their pods that are gone: how
/// many, and about what they held. A Job without any pod left is a row, too. For owners that do not
/// count their pods, the listed pods are a lower bound, unless the snapshot's history has those
/// that are gone. With `from`, counts only the time since then.
std::vector<CostRow> owner_rows(const std::vector<CostLine>& lines, const Snapshot& snapshot,
                                const std::optional<Time>& now,
                                const std::optional<Time>& from = {});

}  // namespace gpu::cost
