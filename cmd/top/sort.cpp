#include "cmd/top/sort.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/ascii.hpp"
#include "base/error.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "report/sort.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::cmd {
namespace {

using report::Table;

/// Not by the column of that name, which is true or false.
constexpr std::string_view kIdle = "idle";

struct Word {
  std::string_view word;
  std::string_view key;
  bool is_usual = false;
};

constexpr std::array<Word, 13> kWords = {{{"util", "utilization", true},
                                          {"avg", "averageUtilization"},
                                          {"max", "maxUtilization"},
                                          {"sm", "smActive"},
                                          {"tensor", "tensorActive"},
                                          {"dram", "dramActive"},
                                          {"memory", "memoryUsedBytes", true},
                                          {"mem", "memoryUsedBytes"},
                                          {"power", "powerWatts", true},
                                          {"temp", "temperatureCelsius", true},
                                          {"temperature", "temperatureCelsius"},
                                          {kIdle, "utilization", true},
                                          {"age", "ageSeconds", true}}};

bool has_key(const report::Table& table, std::string_view key) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [&](const report::Column& column) { return column.key == key; });
}

std::string key_for(const report::Table& table, const std::string& name) {
  const std::string wanted = lower_case(name);
  for (const auto& [word, key, is_usual] : kWords)
    if (word == wanted && word != kIdle && has_key(table, key)) return std::string(key);
  return name;
}

/// Where no window tells for how long, the least used stand first; unknown use is last.
std::vector<std::size_t> idle_order(const report::Table& table) {
  std::vector<report::SortKey> keys;
  if (has_key(table, "idleSeconds")) keys.push_back({.name = "idleSeconds"});
  keys.push_back({.name = "utilization", .numbers = report::NumberOrder::smallest_first});
  return report::sorted_order(table, keys);
}

/// The titles that the column of `key` may have.
std::set<std::string> titles_of(const std::string& key) {
  std::set<std::string> titles = {report::folded_name(key)};
  for (const auto& [word, of_key, is_usual] : kWords)
    if (of_key == key && word != kIdle) titles.insert(std::string(word));
  return titles;
}

/// What rows are sorted by stays where they can be seen, however narrow the terminal is.
void keep_in_sight(report::Table& table, const std::string& key) {
  constexpr auto kOfPeople = static_cast<unsigned>(report::Audience::people);
  constexpr auto kOfWide = static_cast<unsigned>(report::Audience::people_wide);
  const std::set<std::string> titles = titles_of(key);
  for (report::Column& column : table.columns) {
    if ((column.audience & kOfWide) == 0 || !titles.contains(report::folded_name(column.title)))
      continue;
    column.drops_first = false;
    column.drops_next = false;
    column.drops_last = false;
    column.audience |= kOfPeople;
  }
}

Error no_such_column(const report::Table& table, std::string_view view, const std::string& name) {
  const std::vector<std::string_view> words = sort_words(table);
  std::string help;
  if (const auto nearest = nearest_name(name, words))
    help = fmt::format("a similar one is `{}`; ", *nearest);
  else if (name.starts_with('-'))
    help = "numbers stand from the largest, names from A; ";
  help += fmt::format("`top {}` is sorted by {}, or a key of its JSON form", view, joined(words));
  return {ErrorKind::usage, fmt::format("there is no column `{}` to sort by", name),
          std::move(help)};
}

/// Throws Error{usage} where no column is of that name.
std::string checked_key(const report::Table& table, std::string_view view,
                        const std::string& name) {
  std::string key = key_for(table, name);
  if (name.starts_with('-') || !report::column_named(table, key))
    throw no_such_column(table, view, name);
  return key;
}

/// How many units of a pool there are, are held, or are free: numbers of different units do not
/// compare.
bool is_amount(const std::string& key) {
  constexpr std::array<std::string_view, 5> kAmounts = {"gpus", "capacity", "allocated", "free",
                                                        "unavailable"};
  const std::string name = report::folded_name(key);
  return std::find(kAmounts.begin(), kAmounts.end(), name) != kAmounts.end();
}

/// Each unit by itself, whole GPUs first: 9 MIG slices are not more than 8 GPUs.
std::vector<std::size_t> order_by_amount(const report::Table& table, const std::string& key) {
  constexpr std::string_view kUnit = "unit";
  const std::optional<std::size_t> unit = report::column_named(table, kUnit);
  if (!unit) return report::sorted_order(table, key);
  const std::array<report::SortKey, 2> keys = {{{.name = kUnit}, {.name = key}}};
  std::vector<std::size_t> order = report::sorted_order(table, keys);
  std::stable_partition(order.begin(), order.end(), [&](std::size_t row) {
    const auto* name = std::get_if<std::string>(&table.rows[row][*unit].value);
    return name != nullptr && *name == usage::name_of(usage::Unit::gpu);
  });
  return order;
}

bool is_by_idle(const report::Table& table, const std::string& name) {
  return lower_case(name) == kIdle && has_key(table, "utilization");
}

}  // namespace

std::vector<std::string_view> sort_words(const report::Table& table) {
  std::vector<std::string_view> words;
  for (const auto& [word, key, is_usual] : kWords)
    if (is_usual && has_key(table, key)) words.push_back(word);
  for (const report::Column& column : table.columns)
    if (column.is_sortable) words.push_back(column.key);
  return words;
}

std::vector<std::size_t> order_by(const report::Table& table, std::string_view view,
                                  const std::string& name) {
  if (is_by_idle(table, name)) return idle_order(table);
  const std::string key = checked_key(table, view, name);
  return is_amount(key) ? order_by_amount(table, key) : report::sorted_order(table, key);
}

void sort_by(report::Table& table, std::string_view view, const std::string& name) {
  report::arrange_rows(table, order_by(table, view, name));
  if (!is_by_idle(table, name)) keep_in_sight(table, key_for(table, name));
}

}  // namespace gpu::cmd
