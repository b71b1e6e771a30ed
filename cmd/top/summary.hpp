#pragma once

#include <string_view>

#include "cmd/top/top_answer.hpp"
#include "report/report.hpp"

namespace gpu::cmd {

/// A report of `kind` with all that is the same in every view: totals, gaps, why there are no rows,
/// the hint about waiting pods.
report::Report report_with_totals(const TopAnswer& answer, std::string_view kind);

/// The totals as a table, for pipes that ask for these alone.
report::Table totals_table(const TopAnswer& answer);

}  // namespace gpu::cmd
