#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "report/report.hpp"

namespace gpu::report {

/// Sorts by the column whose key or title is `name` (letter case, `_` and `%` do not matter):
/// numbers from the largest, text from A, unknown last; equal rows keep their order. Throws
/// Error{usage} with the columns there are.
void sort_rows(Table& table, std::string_view name);

/// The places of the rows in the order that sort_rows gives them.
std::vector<std::size_t> sorted_order(const Table& table, std::string_view name);

}  // namespace gpu::report
