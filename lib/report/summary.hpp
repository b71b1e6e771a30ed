#pragma once

#include <string>

#include "report/report.hpp"
#include "report/style.hpp"

namespace gpu::report {

/// The totals above a table, aligned over the lines: `GPUs  36   22 allocated   6 free`. Where a
/// line has no room, each count gets its own.
void append_summary(std::string& out, const Report& report, const Style& style);

}  // namespace gpu::report
