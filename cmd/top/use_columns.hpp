#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>

#include "cmd/top/use.hpp"
#include "model/gpu/sample.hpp"
#include "report/columns.hpp"

namespace gpu::cmd {

/// Live use of a row.
template <class Row>
using UseOf = std::function<ShownUse(const Row&)>;
/// The same, where Row is known from the columns.
template <class Row>
using GivenUseOf = const std::type_identity_t<UseOf<Row>>&;

/// How a column shows one part of live use.
template <class Row>
auto shown_ratio(const UseOf<Row>& of, std::optional<double> usage::Use::*member) {
  return [of, member](const Row& row) { return ratio_cell(of(row).use.*member); };
}
template <class Row>
auto shown_bytes(const UseOf<Row>& of, std::optional<std::int64_t> usage::Use::*member) {
  return [of, member](const Row& row) { return bytes_cell(of(row).use.*member); };
}

/// Live use for people and pipes.
template <class Row>
void add_use(report::Columns<Row>& columns, GivenUseOf<Row> of, Window window) {
  using report::kPeople;
  using report::kPlain;
  using usage::Use;
  columns.text("UTIL", kPeople, [of](const Row& row) { return utilization_cell(of(row)); });
  columns.number("UTIL%", kPlain, shown_ratio(of, &Use::utilization));
  if (window == Window::some) {
    columns.number("AVG", kPeople, shown_ratio(of, &Use::average_utilization));
    columns.number("AVG%", kPlain, shown_ratio(of, &Use::average_utilization));
    columns.number("MAX", kPeople, shown_ratio(of, &Use::highest_utilization));
    columns.number("MAX%", kPlain, shown_ratio(of, &Use::highest_utilization));
  }
  columns.text("MEMORY", kPeople, [of](const Row& row) { return memory_cell(of(row).use); })
      .drops_last = true;
  columns.number("MEM_USED_GI", kPlain, shown_bytes(of, &Use::memory_used_bytes));
  columns.number("MEM_TOTAL_GI", kPlain, shown_bytes(of, &Use::memory_total_bytes));
}

/// What -o wide adds to it.
template <class Row>
void add_wide_use(report::Columns<Row>& columns, GivenUseOf<Row> of) {
  using report::Audience;
  using usage::Use;
  const auto activity = [&](const std::string& title, std::optional<double> Use::*member) {
    columns.number(title, static_cast<unsigned>(Audience::people_wide), shown_ratio(of, member));
    columns.number(title + "%", static_cast<unsigned>(Audience::plain_wide),
                   shown_ratio(of, member));
  };
  columns.text("UTIL_SOURCE", report::kWide,
               [of](const Row& row) { return kind_cell(of(row).use); });
  activity("SM", &Use::sm_active);
  activity("TENSOR", &Use::tensor_active);
  activity("DRAM", &Use::dram_active);
}

/// Live use for machines.
template <class Row>
void add_use_keys(report::Columns<Row>& columns, GivenUseOf<Row> of) {
  using report::Type;
  using usage::Use;
  const auto ratio = [&](std::string key, std::string says, std::optional<double> Use::*member) {
    columns.machine({std::move(key), Type::ratio().or_null(), std::move(says)},
                    shown_ratio(of, member));
  };
  ratio("utilization", "Now: the mean over the devices; measuredDevices says of how many of them.",
        &Use::utilization);
  columns.machine({"utilizationSource", Type::one_of<UtilizationKind>(name_of).or_null(),
                   "What utilization counts: DCGM's engine activity, a mean since the measurement "
                   "before, else the time in which any kernel ran, as NVML samples it, AMD's, "
                   "Intel's, ... null: unknown, or several."},
                  [of](const Row& row) { return kind_cell(of(row).use); });
  ratio("averageUtilization", "The mean over the time of --since.", &Use::average_utilization);
  ratio("maxUtilization", "The highest within the time of --since.", &Use::highest_utilization);
  ratio("smActive", "Part of the time in which multiprocessors worked.", &Use::sm_active);
  ratio("tensorActive", "Part of the time in which tensor cores worked.", &Use::tensor_active);
  ratio("dramActive", "Part of the time in which memory was moved: no use of its capacity.",
        &Use::dram_active);
  columns.machine({"memoryUsedBytes", Type::count().or_null(), "Memory in use now."},
                  shown_bytes(of, &Use::memory_used_bytes));
  columns.machine({"memoryTotalBytes", Type::count().or_null(), "Memory that the devices have."},
                  shown_bytes(of, &Use::memory_total_bytes));
}

/// Whether a row is idle, for machines.
template <class Row>
void add_idle_keys(report::Columns<Row>& columns, GivenUseOf<Row> of) {
  using report::Type;
  columns.machine({"idle", Type::flag().or_null(), "Whether use is below 5 % now; null: unknown."},
                  [of](const Row& row) { return idle_cell(of(row).use); });
  columns.machine({"idleSeconds", Type::count().or_null(),
                   "For how long use was below 5 %, at most the time of --since; null: unknown."},
                  [of](const Row& row) { return seconds_cell(of(row).use.idle_for); });
}

/// Power, for machines.
template <class Row>
void add_power_key(report::Columns<Row>& columns, GivenUseOf<Row> of) {
  columns.machine({"powerWatts", report::Type::amount().or_null(),
                   "Of whole cards, each once; never of parts of a card."},
                  [of](const Row& row) { return power_cell(of(row).use); });
}

/// Where live use is from, for machines.
template <class Row>
void add_use_source_keys(report::Columns<Row>& columns, GivenUseOf<Row> of) {
  using report::Type;
  columns.machine({"deviceCount", Type::count().or_null(),
                   "Devices that the numbers are of; null: nobody counted."},
                  [of](const Row& row) { return devices_cell(of(row).use); });
  columns.machine({"measuredDevices", Type::count(), "How many of these have a utilization."},
                  [of](const Row& row) { return report::Cell(of(row).use.measured); });
  columns.machine({"metricsSource", Type::one_of<MetricSource>(name_of).or_null(),
                   "Where live use was read; null: no live use, or several."},
                  [of](const Row& row) { return source_cell(of(row).use); });
  columns.machine({"sampleAgeSeconds", Type::count().or_null(), "The age of the oldest sample."},
                  [of](const Row& row) { return seconds_cell(of(row).use.sample_age); });
}

}  // namespace gpu::cmd
