#pragma once

#include <vector>

#include "report/layout.hpp"
#include "report/report.hpp"
#include "report/style.hpp"

namespace gpu::report {

/// The columns for people, shrunk until a row fits into the terminal's width, in this order: bars
/// get shorter, optional columns are removed, bars and marks are replaced by their numbers,
/// sentences lose their end, and names lose their middle, but stay distinct. Text that is aligned
/// at the right may be a number, and is never cut. With `-o wide` no column is removed, and a line
/// that is still too long has whole names. The columns are too wide if nothing is left to shrink.
std::vector<DrawnColumn> fields_of(const Table& table, Format format, const Style& style);

/// The columns for rows that are printed as blocks, one column below the other: every name has
/// room, and no bar is removed.
std::vector<DrawnColumn> block_fields_of(const Table& table, Format format, const Style& style);

}  // namespace gpu::report
