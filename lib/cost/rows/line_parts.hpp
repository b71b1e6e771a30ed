#pragma once

#include <optional>

#include "base/time.hpp"
#include "cost/rows/line.hpp"

namespace gpu::cost {

/// Fills in what an hour of the line's units costs on `entry`, which may be null; nothing if its
/// node does not have the resource.
void add_price(CostLine& line, const Ledger::Entry* entry);

/// Fills in the cost since `from`, by the rate of an hour and the times.
void add_totals(CostLine& line, const std::optional<Time>& now, const std::optional<Time>& from);

}  // namespace gpu::cost
