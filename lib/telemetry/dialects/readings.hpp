#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "telemetry/dialects/dialect.hpp"

namespace gpu::telemetry {

/// What a metric measures.
enum class Measure {
  utilization,    ///< the exporter's own value of use
  engine_active,  ///< DCGM's PROF_GR_ENGINE_ACTIVE, and similar metrics of others
  sm_active,
  tensor_active,
  dram_active,
  memory_used,
  memory_free,
  memory_reserved,
  memory_total,
  memory_ratio,  ///< used / (total - reserved)
  temperature,
  power,
  power_limit,
  last_xid,
  remap_failure,
  remap_pending,
  uncorrectable_rows,
  uncorrectable_errors,
  clock_reasons,  ///< bits
  other,          ///< what only its dialect reads: identity, owners, switches
};

/// The unit in which a metric is written. Everything is kept as ratio, bytes, watts, Celsius.
enum class Unit {
  ratio,    ///< 0 to 1; up to 1.01 is taken for 1
  percent,  ///< 0 to 100
  bytes,
  mebibytes,
  megabytes,  ///< 1,000,000 bytes
  celsius,
  watts,
  milliwatts,
  count,
};

/// One line of a dialect's table. Of metrics with the same measure, the first in the table that has
/// a value counts.
struct Metric {
  std::string_view name;
  Measure measure = Measure::other;
  Unit unit = Unit::count;
};

/// The names in a dialect's table, for Dialect::metrics.
template <std::size_t size>
constexpr std::array<std::string_view, size> names_of(const std::array<Metric, size>& table) {
  std::array<std::string_view, size> names;
  for (std::size_t i = 0; i < size; ++i) names[i] = table[i].name;
  return names;
}

/// The credible values of one device, or of one pod on it: each measure once.
class Readings {
 public:
  /// Adds a value if it can be true. DCGM's numbers for "no value", NaN, and values out of range
  /// become doubts (A5: per cent 0 to 100, ratios 0 to 1, temperature -50 to 150, power above 0 to
  /// 5000 W, memory from 0). Of equal rank the highest counts; metrics that are first in their
  /// table rank first.
  void add(const Metric& metric, const DialectSample& told);
  /// The same with another value than the series'.
  void add(const Metric& metric, const DialectSample& told, double value);

  /// In the unit in which it is kept.
  [[nodiscard]] std::optional<double> value(Measure measure, Aspect aspect = Aspect::now) const;
  [[nodiscard]] bool has(Measure measure) const { return value(measure).has_value(); }
  [[nodiscard]] bool empty() const { return values_.empty(); }

  /// Removes all values of a measure.
  void forget(Measure measure);
  /// Remembers why something is not shown, once.
  void doubt(std::string why);
  /// Records that a value is shown and looks wrong, once for each text.
  void suspect(std::string why);

  /// Removes values that are over 5 minutes older than the newest, and memory values that
  /// contradict each other. Returns the rest. Utilization is engine_active if that is reported: a
  /// mean over the time between two measurements, while Measure::utilization is a sample of a
  /// moment, of `kind`. Over a window it is also one of the two, never a mixture; idle times are
  /// the shorter of both. If neither is reported, it is tensor_active, if `stand_in` says so. The
  /// total of memory is as reported, otherwise used + free + reserved.
  enum class StandIn { none, tensor_active };
  Measures measures(UtilizationKind kind, StandIn stand_in = StandIn::none);
  /// The oldest time of the measures that are left.
  [[nodiscard]] std::optional<Time> oldest() const;
  [[nodiscard]] const std::vector<std::string>& doubts() const { return doubts_; }
  [[nodiscard]] const std::vector<std::string>& suspect() const { return suspect_; }

 private:
  struct Reading {
    double value = 0;
    std::size_t rank = 0;
    std::optional<Time> at;
    std::string_view name;
    bool is_unsettled = false;  ///< reported with different values, of which none is better
  };
  using Key = std::pair<Measure, Aspect>;

  void keep(const Key& key, const Reading& reading);
  /// The measure that utilization is read from; for a window or for idle times, by `aspect`.
  [[nodiscard]] Measure use_measure(Aspect aspect, StandIn stand_in) const;
  void forget_old();
  void settle_memory();

  std::map<Key, Reading> values_;
  std::vector<std::string> doubts_;
  std::vector<std::string> suspect_;
};

}  // namespace gpu::telemetry
