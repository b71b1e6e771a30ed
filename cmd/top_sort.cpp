#include "cmd/top_sort.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "report/sort.hpp"

namespace gpu::cmd {
namespace {

using report::Table;

struct Word {
  std::string_view word;
  std::string_view key;
};

constexpr std::array<Word, 12> kWords = {{{"util", "utilization"},
                                          {"avg", "averageUtilization"},
                                          {"max", "maxUtilization"},
                                          {"sm", "smActive"},
                                          {"tensor", "tensorActive"},
                                          {"dram", "dramActive"},
                                          {"memory", "memoryUsedBytes"},
                                          {"mem", "memoryUsedBytes"},
                                          {"power", "powerWatts"},
                                          {"temp", "temperatureCelsius"},
                                          {"temperature", "temperatureCelsius"},
                                          {"age", "ageSeconds"}}};

bool has_key(const Table& table, std::string_view key) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [&](const report::Column& column) { return column.key == key; });
}

std::string key_for(const Table& table, const std::string& name) {
  const std::string wanted = lower_case(name);
  for (const auto& [word, key] : kWords)
    if (word == wanted && has_key(table, key)) return std::string(key);
  return name;
}

/// Where no window tells for how long, the least used stand first; unknown use is last.
std::vector<std::size_t> idle_order(const Table& table) {
  std::vector<report::SortKey> keys;
  if (has_key(table, "idleSeconds")) keys.push_back({.name = "idleSeconds"});
  keys.push_back({.name = "utilization", .numbers = report::NumberOrder::smallest_first});
  return report::sorted_order(table, keys);
}

}  // namespace

std::vector<std::size_t> order_by(const Table& table, const std::string& name) {
  if (lower_case(name) == "idle" && has_key(table, "utilization")) return idle_order(table);
  return report::sorted_order(table, key_for(table, name));
}

void sort_by(Table& table, const std::string& name) {
  report::arrange_rows(table, order_by(table, name));
}

}  // namespace gpu::cmd
