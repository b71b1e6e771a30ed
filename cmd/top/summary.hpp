#pragma once

#include "cmd/top/top_answer.hpp"
#include "report/fields.hpp"
#include "report/report.hpp"

namespace gpu::cmd {

/// `summary` of the JSON answer: the same in every view.
const report::Fields<TopAnswer>& summary_fields();

/// A report with all that is the same in every view: totals, gaps, why there are no rows, the hint
/// about waiting pods.
report::Report report_with_totals(const TopAnswer& answer);

/// The totals as a table, for pipes that ask for these alone.
report::Table totals_table(const TopAnswer& answer);

}  // namespace gpu::cmd
