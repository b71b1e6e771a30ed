#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.hpp"

namespace gpu::cmd {

/// The places of the rows of `table` as --sort-by wants them: by a column, by a short word for one
/// (util, memory, power, temp, age, ...), or by `idle`: those that are idle longest, then those
/// that are used least. Throws Error{usage} with the columns there are.
std::vector<std::size_t> order_by(const report::Table& table, const std::string& name);

/// Sorts so.
void sort_by(report::Table& table, const std::string& name);

}  // namespace gpu::cmd
