#include "cost/prices/price_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/phrase.hpp"
#include "base/text.hpp"
#include "cost/prices/file_value.hpp"
#include "cost/prices/price_limits.hpp"

namespace gpu::cost {
namespace {

using Cells = std::vector<std::string>;

constexpr std::size_t kMaxBytes = std::size_t{4} << 20;
constexpr std::array<std::string_view, 4> kNeeded = {"InstanceID", "AssetClass", "InstanceIDField",
                                                     "MarketPriceHourly"};

/// Reads a cell in quotes off the front of `rest`; two quotes stand for one.
std::string quoted_cell(FileLine at, std::string_view& rest) {
  std::string cell;
  rest.remove_prefix(1);
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    if (c != '"') {
      cell += c;
    } else if (rest.starts_with('"')) {
      cell += c;
      rest.remove_prefix(1);
    } else {
      return cell;
    }
  }
  refuse(at, "a quote is not closed on its line");
}

Cells cells_of(FileLine at, std::string_view line) {
  Cells cells;
  for (std::string_view rest = line;; rest.remove_prefix(1)) {
    std::string cell;
    if (rest.starts_with('"')) cell = quoted_cell(at, rest);
    const std::size_t comma = std::min(rest.find(','), rest.size());
    cell += trimmed(rest.substr(0, comma));
    cells.push_back(std::move(cell));
    rest.remove_prefix(comma);
    if (rest.empty()) return cells;
  }
}

/// The cells of a row by the names in the first line.
class Row {
 public:
  Row(FileLine at, const Cells& head, Cells cells)
      : at_(at), head_(&head), cells_(std::move(cells)) {}

  [[nodiscard]] FileLine at() const { return at_; }
  /// Empty where the row or the file has no such cell.
  [[nodiscard]] const std::string& cell(std::string_view name) const {
    static const std::string kNone;
    const auto column = std::find(head_->begin(), head_->end(), name);
    const auto index = static_cast<std::size_t>(column - head_->begin());
    return index < cells_.size() && column != head_->end() ? cells_[index] : kNone;
  }

 private:
  FileLine at_;
  const Cells* head_;
  Cells cells_;
};

/// A comma too many, as in the amount 1,50, would give later cells to wrong columns.
void check_cells(FileLine at, const Cells& head, const Cells& cells) {
  const auto is_there = [](const std::string& cell) { return !cell.empty(); };
  if (cells.size() > head.size() &&
      std::any_of(cells.begin() + static_cast<std::ptrdiff_t>(head.size()), cells.end(), is_there))
    refuse(at,
           fmt::format("the row has {} cells, and the file {} columns", cells.size(), head.size()));
}

void check_columns(FileLine at, const Cells& head) {
  std::vector<std::string_view> names(head.begin(), head.end());
  for (const std::string_view name : names)
    if (!name.empty() && std::count(names.begin(), names.end(), name) > 1)
      refuse(at, fmt::format("there are two columns {}", name));
  for (const std::string_view needed : kNeeded) {
    if (std::find(head.begin(), head.end(), needed) != head.end()) continue;
    const auto nearest = nearest_name(needed, names);
    refuse(at, nearest
                   ? fmt::format("there is no column {}; a similar one is `{}`", needed, *nearest)
                   : fmt::format("there is no column {}: OpenCost's price files start with {}",
                                 needed, joined(kNeeded)));
  }
}

/// What the row picks nodes by. Nothing for what we do not read.
bool take_selector(const Row& row, PriceRule& rule) {
  constexpr std::string_view kLabels = "metadata.labels.";
  const std::string& id = row.cell("InstanceID");
  std::string_view field = row.cell("InstanceIDField");
  rule.region = row.cell("Region");
  if (id.empty()) {
    rule.instance_type = row.cell("InstanceType");
    if (rule.instance_type.empty()) refuse(row.at(), "the row has no InstanceID");
    return true;
  }
  if (field.empty()) refuse(row.at(), "the row has no InstanceIDField");
  if (field.starts_with("spec.") || field.starts_with("metadata.annotations.")) return false;
  if (field == "metadata.name") {
    rule.node = id;
    return true;
  }
  if (field.starts_with(kLabels)) field.remove_prefix(kLabels.size());
  rule.labels.set(field, id);
  return true;
}

enum class Asset { node, gpu, other };

Asset asset_of(const Row& row) {
  const std::string name = lower_case(row.cell("AssetClass"));
  if (name == "node") return Asset::node;
  if (name == "gpu") return Asset::gpu;
  if (name == "pv") return Asset::other;
  refuse(row.at(), fmt::format("AssetClass is `{}`; it is node, gpu or pv", name));
}

/// What the file holds, but that is not read as a whole.
struct Kinds {
  bool has_nodes = false;
  bool has_gpus = false;
  std::string not_read;  ///< the first row that picks nodes by what we do not look at
};

void read_row(const Row& row, PriceRules& made, Kinds& kinds) {
  const Asset asset = asset_of(row);
  if (asset == Asset::other) return;
  PriceRule rule;
  rule.where = text_of(row.at());
  const std::string& price = row.cell("MarketPriceHourly");
  if (price.empty()) refuse(row.at(), "the row has no MarketPriceHourly");
  const bool is_node = asset == Asset::node;
  (is_node ? rule.node_hour : rule.gpu_hour) =
      amount_in(row.at(), "MarketPriceHourly", price, is_node ? kMostOfNode : kMostOfGpu);
  if (const std::string& date = row.cell("EndTimestamp"); !date.empty())
    rule.as_of = date_in(row.at(), date);
  if (!take_selector(row, rule)) {
    if (kinds.not_read.empty()) kinds.not_read = rule.where;
    return;
  }
  (is_node ? kinds.has_nodes : kinds.has_gpus) = true;
  made.rules.push_back(std::move(rule));
}

void say_kinds(const Kinds& kinds, std::string_view name, PriceRules& made) {
  if (kinds.has_nodes && kinds.has_gpus)
    made.gaps.push_back({.what = fmt::format("{} has prices of nodes and of GPUs", name),
                         .why = "a node that has both costs its node price",
                         .help = {}});
  if (!kinds.not_read.empty())
    made.gaps.push_back({.what = kinds.not_read + " and rows like it are not used",
                         .why = "nodes are found by metadata.name or a label",
                         .help = {}});
}

}  // namespace

PriceRules rules_in_csv(std::string_view text, std::string_view name) {
  if (text.size() > kMaxBytes) refuse(FileLine{name, 1}, "more than 4 MB");
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  PriceRules made;
  Kinds kinds;
  Cells head;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    const FileLine at{name, ++number};
    if (trimmed(line).empty()) continue;
    Cells cells = cells_of(at, line);
    if (head.empty()) {
      check_columns(at, cells);
      head = std::move(cells);
      continue;
    }
    check_cells(at, head, cells);
    read_row(Row(at, head, std::move(cells)), made, kinds);
  }
  if (head.empty()) refuse(FileLine{name, 1}, "the file is empty");
  std::stable_sort(made.rules.begin(), made.rules.end(),
                   [](const PriceRule& a, const PriceRule& b) { return a.as_of > b.as_of; });
  say_kinds(kinds, name, made);
  return made;
}

}  // namespace gpu::cost
