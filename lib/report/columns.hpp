#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/fields.hpp"
#include "report/report.hpp"

namespace gpu::report {

inline constexpr unsigned kPeople = Audience::people | Audience::people_wide;
inline constexpr unsigned kPlain = Audience::plain | Audience::plain_wide;
inline constexpr unsigned kWide = Audience::people_wide | Audience::plain_wide;

/// The columns of a table, and how a row fills each. What machines see needs a Field: key, type,
/// and what docs/schema says of it.
template <class Row>
class Columns {
 public:
  using Fill = std::function<Cell(const Row&)>;

  /// A column of texts, marks or bars; the reference holds until the next one is added.
  Column& text(std::string_view title, unsigned audience, Fill fill) {
    fills_.push_back(std::move(fill));
    return columns_.emplace_back(Column{.title = std::string(title), .audience = audience});
  }
  /// The same, and a fact for machines.
  Column& text(const Field& field, std::string_view title, unsigned audience, Fill fill) {
    return declared(text(title, audience, std::move(fill)), field);
  }
  /// A column of numbers.
  Column& number(std::string_view title, unsigned audience, Fill fill) {
    Column& column = text(title, audience, std::move(fill));
    column.align = Align::right;
    return column;
  }
  /// The same, and a fact for machines.
  Column& number(const Field& field, std::string_view title, unsigned audience, Fill fill) {
    return declared(number(title, audience, std::move(fill)), field);
  }
  /// A fact for json, yaml and csv alone.
  Column& machine(const Field& field, Fill fill) { return text(field, "", 0, std::move(fill)); }
  /// All of `fields` for machines.
  void machine(const Fields<Row>& fields) {
    for (const auto& [field, fill] : fields.entries()) machine(field, fill);
  }

  /// Removes the columns for which `is_wanted` is false, so that a large table stores only what is
  /// shown.
  template <class IsWanted>
  void keep(IsWanted is_wanted) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (!is_wanted(i)) continue;
      if (kept != i) {
        columns_[kept] = std::move(columns_[i]);
        fills_[kept] = std::move(fills_[i]);
      }
      ++kept;
    }
    columns_.resize(kept);
    fills_.resize(kept);
  }

  /// The columns and a row of cells for each of `rows`.
  [[nodiscard]] Table table(const std::vector<Row>& rows) const {
    Table table{.columns = columns_, .rows = {}};
    table.rows.reserve(rows.size());
    for (const Row& row : rows) {
      std::vector<Cell>& cells = table.rows.emplace_back();
      cells.reserve(fills_.size());
      for (const Fill& fill : fills_) cells.push_back(fill(row));
    }
    return table;
  }

 private:
  static Column& declared(Column& column, const Field& field) {
    column.audience = column.audience | Audience::machine;
    column.key = field.key;
    column.type = field.type;
    column.says = field.says;
    column.presence = field.presence;
    return column;
  }

  std::vector<Column> columns_;
  std::vector<Fill> fills_;
};

}  // namespace gpu::report
