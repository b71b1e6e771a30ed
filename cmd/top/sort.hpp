#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.hpp"

namespace gpu::cmd {

/// The places of the rows of `table` as --sort-by wants them: by a column, by a short word for one
/// (util, memory, power, temp, age, ...), or by `idle`: those that are idle longest, then those
/// that are used least. Throws Error{usage} with the columns that `view` has.
std::vector<std::size_t> order_by(const report::Table& table, std::string_view view,
                                  const std::string& name);

/// Sorts so; the column is then shown at any width.
void sort_by(report::Table& table, std::string_view view, const std::string& name);

/// What the rows of `table` are usually sorted by, as people type it: by use first, then by the
/// columns that are marked as sortable.
std::vector<std::string_view> sort_words(const report::Table& table);

}  // namespace gpu::cmd
