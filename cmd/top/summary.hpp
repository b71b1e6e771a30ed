#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cmd/top/answer.hpp"
#include "report/report.hpp"

namespace gpu::cmd {

/// A report of `kind` with all that is the same in every view: totals, gaps, why there are no rows,
/// the hint about waiting pods.
report::Report report_with_totals(const TopAnswer& answer, std::string_view kind);

/// The totals as a table, for pipes that ask for these alone.
report::Table totals_table(const TopAnswer& answer);

/// "1 pod waits", "4 pods wait".
std::string counted(std::int64_t number, std::string_view one, std::string_view many);

}  // namespace gpu::cmd
