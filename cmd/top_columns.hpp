#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/pool.hpp"
#include "report/report.hpp"
#include "usage/node_usage.hpp"
#include "usage/pod_usage.hpp"
#include "usage/unit.hpp"

namespace gpu::cmd {

inline constexpr unsigned kPeople = report::Audience::people | report::Audience::people_wide;
inline constexpr unsigned kPlain = report::Audience::plain | report::Audience::plain_wide;
inline constexpr unsigned kWide = report::Audience::people_wide | report::Audience::plain_wide;
inline constexpr unsigned kMachine = static_cast<unsigned>(report::Audience::machine);

/// The columns of a view, and how a row fills each.
template <class Row>
class Columns {
 public:
  using Fill = std::function<report::Cell(const Row&)>;

  /// A column of texts, marks or bars; the reference holds until the next one is added.
  report::Column& text(std::string_view key, std::string_view title, unsigned audience, Fill fill) {
    columns_.push_back(
        {.key = std::string(key), .title = std::string(title), .audience = audience});
    fills_.push_back(std::move(fill));
    return columns_.back();
  }
  /// A column of numbers.
  report::Column& number(std::string_view key, std::string_view title, unsigned audience,
                         Fill fill) {
    report::Column& column = text(key, title, audience, std::move(fill));
    column.align = report::Align::right;
    return column;
  }
  /// A fact for json, yaml and csv.
  void machine(std::string_view key, Fill fill) { text(key, "", kMachine, std::move(fill)); }
  /// Live use, which nobody knows before metrics are read.
  void use() {
    text("", "UTIL", kPeople, unknown);
    number("", "UTIL%", kPlain, unknown);
    text("", "MEMORY", kPeople, unknown);
    number("", "MEM_USED_GI", kPlain, unknown);
  }
  /// The same for machines.
  void use_keys() {
    machine("utilization", unknown);
    machine("memoryUsedBytes", unknown);
  }
  static report::Cell unknown(const Row& /*row*/) { return {}; }

  /// The columns and a row of cells for each of `rows`.
  [[nodiscard]] report::Table table(const std::vector<Row>& rows) const {
    report::Table table{.columns = columns_, .rows = {}};
    table.rows.reserve(rows.size());
    for (const Row& row : rows) {
      std::vector<report::Cell>& cells = table.rows.emplace_back();
      cells.reserve(fills_.size());
      for (const Fill& fill : fills_) cells.push_back(fill(row));
    }
    return table;
  }

 private:
  std::vector<report::Column> columns_;
  std::vector<Fill> fills_;
};

/// Unknown when empty.
report::Cell text_or_unknown(std::string_view text);

/// How much a reader should worry about a node in `state`.
report::Concern concern_of(usage::NodeState state);

/// "H100-80G"; a unit that is a share of a card says so: T4-16G/4 is a quarter of a T4.
report::Cell model_cell(const Pool& pool);

/// "none", "time-slicing/4", "mps/?".
report::Cell sharing_text(const Pool& pool);

/// {strategy, replicas}.
report::Cell sharing_record(const Pool& pool);

/// The same for all copies of a pool: rows of nodes have their own.
std::string pool_key(const Pool& pool);

/// What of a pool, or of many, is held.
struct HeldOf {
  std::optional<std::int64_t> allocated;
  std::optional<std::int64_t> at_least;
  std::optional<std::int64_t> total;
  std::optional<std::int64_t> unavailable;
  usage::Unit unit = usage::Unit::gpu;
};

/// Marks and `6/8`; unknown where nobody knows how many there are, or are held.
report::Cell share_cell(const HeldOf& held, report::Concern unavailable_concern);

/// "shared by 2 pods": what several pods hold together is no one's alone. Blank otherwise.
report::Cell sharing_note(const usage::PodUsage& row);

/// The value of a label, by the labels of the object that a row is about.
report::Cell label_cell(const StringMap& labels, const std::string& label);

/// The title of a label's column: what follows its domain, in capitals.
std::string label_title(std::string_view label);

}  // namespace gpu::cmd
