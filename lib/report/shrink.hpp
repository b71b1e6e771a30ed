#pragma once

#include <vector>

#include "report/layout.hpp"
#include "report/report.hpp"
#include "report/style.hpp"

namespace gpu::report {

/// Makes rows fit into the terminal's width, in this order: bars get shorter, columns go that may,
/// bars and marks give way to their numbers, prose loses its end, and names lose their middle, but
/// never what tells one from another. What stands at the right may be a number, and is never cut.
/// `fields` is still too wide when nothing is left that may shrink.
void shrink(std::vector<DrawnColumn>& fields, const Table& table, const Style& style);

/// The same for `-o wide`: whoever asks for it wants all columns, and long lines rather than names
/// that nobody can tell apart.
void shrink_wide(std::vector<DrawnColumn>& fields, const Table& table, const Style& style);

}  // namespace gpu::report
