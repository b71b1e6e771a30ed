#pragma once

#include "cmd/top/top_answer.hpp"
#include "report/report.hpp"

namespace gpu::cmd {

/// For `top nodes`: which node holds most that is idle, before all other hints.
void add_idle_hints(report::Report& report, const TopAnswer& answer);

/// Turns gaps about nodes without metrics that one command explains into hints, as long as there
/// is room for these: the same is not said twice.
void take_hints_from_gaps(report::Report& report);

}  // namespace gpu::cmd
