#pragma once

#include <string_view>

#include "report/report.hpp"

namespace gpu::report {

/// Sorts by the column whose key or title is `name` (letter case, `_` and `%` do not matter):
/// numbers from the largest, text from A, unknown last; equal rows keep their order. Throws
/// Error{usage} with the columns there are.
void sort_rows(Table& table, std::string_view name);

}  // namespace gpu::report
