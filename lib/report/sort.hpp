#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/report.hpp"

namespace gpu::report {

/// Which numbers come first.
enum class NumberOrder { largest_first, smallest_first };

/// A column to sort by, by its key or title.
struct SortKey {
  std::string_view name;
  NumberOrder numbers = NumberOrder::largest_first;
};

/// Sorts by the column whose key or title is `name` (letter case, `_` and `%` do not matter):
/// numbers from the largest, text from A, unknown last; equal rows keep their order. Throws
/// Error{usage} with the columns there are.
void sort_rows(Table& table, std::string_view name);

/// The column of that name; nothing if there is none.
std::optional<std::size_t> column_named(const Table& table, std::string_view name);

/// `name` as it is compared: in lower case, without `_`, `%` and `-`.
std::string folded_name(std::string_view name);

/// The indexes of the rows in the order of sort_rows().
std::vector<std::size_t> sorted_order(const Table& table, std::string_view name);
/// The same by several columns, the most important first.
std::vector<std::size_t> sorted_order(const Table& table, std::span<const SortKey> keys);

/// Puts the rows into `order`, which has each index once.
void arrange_rows(Table& table, std::span<const std::size_t> order);

}  // namespace gpu::report
