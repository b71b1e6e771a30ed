#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cmd/top/use.hpp"
#include "report/report.hpp"

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
  using UseOf = std::function<ShownUse(const Row&)>;

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
  report::Column& machine(std::string_view key, Fill fill) {
    return text(key, "", kMachine, std::move(fill));
  }
  /// Live use for people and pipes.
  void use(const UseOf& of, Window window) {
    using usage::Use;
    text("", "UTIL", kPeople, [of](const Row& row) { return utilization_cell(of(row)); });
    number("", "UTIL%", kPlain, ratio(of, &usage::Use::utilization));
    if (window == Window::some) {
      number("", "AVG", kPeople, ratio(of, &usage::Use::average_utilization));
      number("", "AVG%", kPlain, ratio(of, &usage::Use::average_utilization));
      number("", "MAX", kPeople, ratio(of, &usage::Use::highest_utilization));
      number("", "MAX%", kPlain, ratio(of, &usage::Use::highest_utilization));
    }
    text("", "MEMORY", kPeople, [of](const Row& row) { return memory_cell(of(row).use); });
    number("", "MEM_USED_GI", kPlain, bytes(of, &usage::Use::memory_used_bytes));
    number("", "MEM_TOTAL_GI", kPlain, bytes(of, &usage::Use::memory_total_bytes));
  }
  /// What -o wide adds to it.
  void wide_use(const UseOf& of) {
    using usage::Use;
    const auto activity = [&](const std::string& title, std::optional<double> Use::*member) {
      number("", title, static_cast<unsigned>(report::Audience::people_wide), ratio(of, member));
      number("", title + "%", static_cast<unsigned>(report::Audience::plain_wide),
             ratio(of, member));
    };
    activity("SM", &usage::Use::sm_active);
    activity("TENSOR", &usage::Use::tensor_active);
    activity("DRAM", &usage::Use::dram_active);
  }
  /// Live use for machines.
  void use_keys(const UseOf& of) {
    using usage::Use;
    machine("utilization", ratio(of, &usage::Use::utilization));
    machine("utilizationSource", [of](const Row& row) { return kind_cell(of(row).use); });
    machine("averageUtilization", ratio(of, &usage::Use::average_utilization));
    machine("maxUtilization", ratio(of, &usage::Use::highest_utilization));
    machine("smActive", ratio(of, &usage::Use::sm_active));
    machine("tensorActive", ratio(of, &usage::Use::tensor_active));
    machine("dramActive", ratio(of, &usage::Use::dram_active));
    machine("memoryUsedBytes", bytes(of, &usage::Use::memory_used_bytes));
    machine("memoryTotalBytes", bytes(of, &usage::Use::memory_total_bytes));
  }
  /// Where it is from, for machines.
  void use_source_keys(const UseOf& of) {
    machine("deviceCount", [of](const Row& row) { return devices_cell(of(row).use); });
    machine("measuredDevices", [of](const Row& row) { return report::Cell(of(row).use.measured); });
    machine("metricsSource", [of](const Row& row) { return source_cell(of(row).use); });
    machine("sampleAgeSeconds",
            [of](const Row& row) { return seconds_cell(of(row).use.sample_age); });
  }

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
  static Fill ratio(const UseOf& of, std::optional<double> usage::Use::*member) {
    return [of, member](const Row& row) { return ratio_cell(of(row).use.*member); };
  }
  static Fill bytes(const UseOf& of, std::optional<std::int64_t> usage::Use::*member) {
    return [of, member](const Row& row) { return bytes_cell(of(row).use.*member); };
  }

  std::vector<report::Column> columns_;
  std::vector<Fill> fills_;
};

}  // namespace gpu::cmd
