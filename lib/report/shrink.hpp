#pragma once

#include <vector>

#include "report/layout.hpp"
#include "report/report.hpp"
#include "report/style.hpp"

namespace gpu::report {

/// The columns for people, shrunk until a row fits into the terminal's width, in this order: bars
/// get shorter, columns go that may, bars and marks give way to their numbers, prose loses its end,
/// and names lose their middle, but never what tells one from another. What stands at the right may
/// be a number, and is never cut. With `-o wide` no column goes, and a line that is too long all
/// the same has whole names. They are too wide when nothing is left that may shrink.
std::vector<DrawnColumn> fields_of(const Table& table, Format format, const Style& style);

/// What stands in blocks, one below the other: there every name has its place, and no bar has to
/// go.
std::vector<DrawnColumn> block_fields_of(const Table& table, Format format, const Style& style);

}  // namespace gpu::report
