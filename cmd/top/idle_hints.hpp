#pragma once

#include <optional>

#include "cmd/top/top_answer.hpp"
#include "model/objects/gap.hpp"
#include "report/report.hpp"

namespace gpu::cmd {

/// For `top nodes`: which node holds most that is idle, before all other hints.
void add_idle_hints(report::Report& report, const TopAnswer& answer);

/// A gap about nodes without metrics that one command explains can be said as a hint.
std::optional<report::Hint> hint_of(const Gap& gap);

/// Says what can be said so as a hint, as long as there is room for these, and not as a gap again.
void take_hints_from_gaps(report::Report& report);

}  // namespace gpu::cmd
