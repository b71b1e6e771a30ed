#include "report/sort.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace gpu::report {
namespace {

/// The number to sort by, for cells that are numbers.
struct NumberOf {
  std::optional<double> operator()(std::int64_t value) const { return static_cast<double>(value); }
  std::optional<double> operator()(Ratio value) const { return value.value; }
  std::optional<double> operator()(Bytes value) const { return static_cast<double>(value.value); }
  std::optional<double> operator()(Watts value) const { return value.value; }
  std::optional<double> operator()(const WattsOf& value) const { return value.used; }
  std::optional<double> operator()(Celsius value) const { return value.value; }
  std::optional<double> operator()(Seconds value) const {
    return static_cast<double>(value.value.count());
  }
  std::optional<double> operator()(Usd value) const { return static_cast<double>(value.nano); }
  std::optional<double> operator()(const Share& value) const {
    return static_cast<double>(value.allocated);
  }
  std::optional<double> operator()(const BytesOf& value) const {
    return static_cast<double>(value.used);
  }
  template <class Other>
  std::optional<double> operator()(const Other& /*not a number*/) const {
    return std::nullopt;
  }
};

/// Below zero where `a` stands first, 0 where either may.
int compared(const Cell& a, const Cell& b, NumberOrder numbers) {
  if (a.is_unknown() || b.is_unknown())
    return static_cast<int>(a.is_unknown()) - static_cast<int>(b.is_unknown());
  const std::optional<double> left = std::visit(NumberOf{}, a.value);
  const std::optional<double> right = std::visit(NumberOf{}, b.value);
  if (left && right) {
    const bool is_first = numbers == NumberOrder::largest_first ? *left > *right : *left < *right;
    const bool is_equal = !(*left < *right) && !(*right < *left);
    return is_equal ? 0 : is_first ? -1 : 1;
  }
  const auto* left_text = std::get_if<std::string>(&a.value);
  const auto* right_text = std::get_if<std::string>(&b.value);
  return left_text != nullptr && right_text != nullptr ? left_text->compare(*right_text) : 0;
}

Error no_such_column(const Table& table, std::string_view name) {
  std::set<std::string> keys;
  for (const Column& column : table.columns)
    if (!column.key.empty()) keys.insert(column.key);
  const std::vector<std::string_view> choices(keys.begin(), keys.end());
  std::string help;
  if (const auto nearest = nearest_name(name, choices))
    help = "a similar one is `" + std::string(*nearest) + "`; ";
  help += "columns are";
  for (const std::string& key : keys) help += (key == *keys.begin() ? " " : ", ") + key;
  return {ErrorKind::usage, "there is no column `" + std::string(name) + "` to sort by", help};
}

}  // namespace

std::string folded_name(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c == '_' || c == '%' || c == '-') continue;
    result += lower_case(c);
  }
  return result;
}

// Machine columns come first: they hold the bare fact.
std::optional<std::size_t> column_named(const Table& table, std::string_view name) {
  const std::string wanted = folded_name(name.starts_with('.') ? name.substr(1) : name);
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (!table.columns[i].key.empty() && folded_name(table.columns[i].key) == wanted) return i;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (!table.columns[i].title.empty() && folded_name(table.columns[i].title) == wanted) return i;
  return std::nullopt;
}

std::vector<std::size_t> sorted_order(const Table& table, std::span<const SortKey> keys) {
  std::vector<std::size_t> columns;
  for (const SortKey& key : keys) {
    const std::optional<std::size_t> index = column_named(table, key.name);
    if (!index) throw no_such_column(table, key.name);
    columns.push_back(*index);
  }
  std::vector<std::size_t> order(table.rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::size_t at = columns[i];
      const int result = compared(table.rows[a][at], table.rows[b][at], keys[i].numbers);
      if (result != 0) return result < 0;
    }
    return false;
  });
  return order;
}

std::vector<std::size_t> sorted_order(const Table& table, std::string_view name) {
  const std::array<SortKey, 1> keys = {{{.name = name}}};
  return sorted_order(table, keys);
}

void arrange_rows(Table& table, std::span<const std::size_t> order) {
  std::vector<std::vector<Cell>> arranged;
  arranged.reserve(order.size());
  for (const std::size_t at : order) arranged.push_back(std::move(table.rows[at]));
  table.rows = std::move(arranged);
}

void sort_rows(Table& table, std::string_view name) {
  arrange_rows(table, sorted_order(table, name));
}

}  // namespace gpu::report
