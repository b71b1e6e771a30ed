#include "telemetry/dialects/readings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace gpu::telemetry {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;
/// dcgm_structs.h: blank doubles start at 2^47, and no device has 127 TiB.
constexpr double kBlankFrom = 1.4e14;
constexpr double kMostMemory = kBlankFrom;  // bytes
constexpr std::chrono::minutes kOlderIsNotShown{5};
constexpr double kMostCounted = 1e12;  // faults, and NVML's bits
constexpr double kLongestIdle = 1e10;  // seconds

bool is_blank(double value, Unit unit) {
  if (std::abs(value) >= kBlankFrom) return true;
  // DCGM_INT32_BLANK and its three neighbours. As bytes they are as good as any number.
  return unit != Unit::bytes && value >= 2147483632.0 && value <= 2147483635.0;
}

double in_base_unit(double value, Unit unit) {
  switch (unit) {
    case Unit::percent:
      return value / 100;
    case Unit::mebibytes:
      return value * kMebibyte;
    case Unit::megabytes:
      return value * 1e6;
    case Unit::milliwatts:
      return value / 1000;
    case Unit::ratio:
    case Unit::bytes:
    case Unit::celsius:
    case Unit::watts:
    case Unit::count:
      return value;
  }
  return value;
}

/// Profiling counters may count a little more time than there was; a percentage never does.
double highest_ratio(Unit unit) { return unit == Unit::percent ? 1.0 : 1.01; }

bool can_be(Measure measure, double value, Unit unit) {
  switch (measure) {
    case Measure::utilization:
    case Measure::engine_active:
    case Measure::sm_active:
    case Measure::tensor_active:
    case Measure::dram_active:
    case Measure::memory_ratio:
      return value >= 0 && value <= highest_ratio(unit);
    case Measure::memory_used:
    case Measure::memory_free:
    case Measure::memory_reserved:
      return value >= 0 && value < kMostMemory;
    case Measure::memory_total:
      return value > 0 && value < kMostMemory;
    case Measure::temperature:
      return value >= -50 && value <= 150;
    case Measure::power:
    case Measure::power_limit:
      return value > 0 && value <= 5000;
    case Measure::last_xid:
      return value >= 0 && value < 10000 && value == std::floor(value);
    case Measure::remap_failure:
    case Measure::remap_pending:
    case Measure::uncorrectable_rows:
    case Measure::uncorrectable_errors:
    case Measure::clock_reasons:
      return value >= 0 && value < kMostCounted && value == std::floor(value);
    case Measure::other:
      return true;
  }
  return false;
}

bool is_ratio(Measure measure) {
  switch (measure) {
    case Measure::utilization:
    case Measure::engine_active:
    case Measure::sm_active:
    case Measure::tensor_active:
    case Measure::dram_active:
    case Measure::memory_ratio:
      return true;
    case Measure::memory_used:
    case Measure::memory_free:
    case Measure::memory_reserved:
    case Measure::memory_total:
    case Measure::temperature:
    case Measure::power:
    case Measure::power_limit:
    case Measure::last_xid:
    case Measure::remap_failure:
    case Measure::remap_pending:
    case Measure::uncorrectable_rows:
    case Measure::uncorrectable_errors:
    case Measure::clock_reasons:
    case Measure::other:
      return false;
  }
  return false;
}

std::optional<std::int64_t> whole(const std::optional<double>& value) {
  if (!value) return std::nullopt;
  return std::llround(*value);
}

void add_once(std::vector<std::string>& texts, std::string text) {
  // A text may be made to be doubted in every line.
  constexpr std::size_t kMost = 20;
  if (texts.size() >= kMost) return;
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
}

}  // namespace

void Readings::doubt(std::string why) { add_once(doubts_, std::move(why)); }

void Readings::suspect(std::string why) { add_once(suspect_, std::move(why)); }

void Readings::add(const Metric& metric, const DialectSample& told) {
  add(metric, told, told.series->value);
}

void Readings::add(const Metric& metric, const DialectSample& told, double value) {
  if (metric.measure == Measure::other) return;
  if (!std::isfinite(value)) return doubt(fmt::format("{} is no number", metric.name));
  if (told.aspect == Aspect::idle) {
    if (value < 0 || value > kLongestIdle)
      return doubt(fmt::format("{} is idle for {} seconds: not credible", metric.name, value));
    return keep({metric.measure, told.aspect}, {value, told.metric, told.at, metric.name});
  }
  if (is_blank(value, metric.unit)) return doubt(fmt::format("{} is blank", metric.name));
  double kept = in_base_unit(value, metric.unit);
  if (!can_be(metric.measure, kept, metric.unit))
    return doubt(fmt::format("{} is {}: not credible", metric.name, value));
  if (is_ratio(metric.measure)) kept = std::min(kept, 1.0);
  if (metric.measure == Measure::temperature && kept == 0)
    suspect(fmt::format("{} is 0", metric.name));
  keep({metric.measure, told.aspect}, {kept, told.metric, told.at, metric.name});
}

void Readings::keep(const Key& key, const Reading& reading) {
  const auto [at, is_new] = values_.emplace(key, reading);
  if (is_new) return;
  Reading& known = at->second;
  if (reading.rank != known.rank || reading.at != known.at) {
    const bool is_better =
        reading.rank != known.rank ? reading.rank < known.rank : reading.at > known.at;
    if (is_better) known = reading;
    return;
  }
  const double low = std::min(known.value, reading.value);
  const double high = std::max(known.value, reading.value);
  known.value = key.second == Aspect::idle ? low : high;
  if (key.second == Aspect::average && low != high) known.is_unsettled = true;
  // Values of one card that stand in several rows are read one after the other.
  if (key.second == Aspect::now && high - low > 0.02 * std::abs(high))
    suspect(fmt::format("{} is reported twice and differs: the higher is shown", reading.name));
}

std::optional<double> Readings::value(Measure measure, Aspect aspect) const {
  const auto at = values_.find({measure, aspect});
  if (at == values_.end() || at->second.is_unsettled) return std::nullopt;
  return at->second.value;
}

void Readings::forget(Measure measure) {
  std::erase_if(values_, [&](const auto& entry) { return entry.first.first == measure; });
}

void Readings::forget_old() {
  std::optional<Time> newest;
  for (const auto& [key, reading] : values_)
    if (key.second == Aspect::now) newest = std::max(newest, reading.at);
  if (!newest) return;
  std::erase_if(values_, [&](const auto& entry) {
    const auto& [key, reading] = entry;
    if (key.second != Aspect::now || !reading.at || *newest - *reading.at <= kOlderIsNotShown)
      return false;
    doubt(fmt::format("{} is over 5 minutes older than the rest", reading.name));
    return true;
  });
}

void Readings::settle_memory() {
  const auto find = [&](Measure measure) {
    const auto at = values_.find({measure, Aspect::now});
    return at == values_.end() ? nullptr : &at->second;
  };
  const Reading* used = find(Measure::memory_used);
  const Reading* free = find(Measure::memory_free);
  const Reading* reserved = find(Measure::memory_reserved);
  if (find(Measure::memory_total) == nullptr && used != nullptr && free != nullptr &&
      used->at == free->at && (reserved == nullptr || reserved->at == used->at)) {
    Reading total = *used;
    total.value += free->value + (reserved != nullptr ? reserved->value : 0);
    if (total.value > 0) values_.emplace(Key{Measure::memory_total, Aspect::now}, total);
  }
  const Reading* total = find(Measure::memory_total);
  const Reading* ratio = find(Measure::memory_ratio);
  if (used == nullptr && total != nullptr && reserved != nullptr && ratio != nullptr &&
      reserved->value <= total->value) {
    Reading derived = *ratio;
    derived.value *= total->value - reserved->value;
    used = &values_.emplace(Key{Measure::memory_used, Aspect::now}, derived).first->second;
  }
  if (used != nullptr && total != nullptr && used->value > total->value) {
    doubt(fmt::format("{} is more than {}", used->name, total->name));
    forget(Measure::memory_used);
    forget(Measure::memory_total);
  }
}

Measure Readings::use_measure(Aspect aspect, StandIn stand_in) const {
  if (value(Measure::engine_active, aspect)) return Measure::engine_active;
  const bool is_told = value(Measure::utilization, aspect).has_value();
  return is_told || stand_in == StandIn::none ? Measure::utilization : Measure::tensor_active;
}

Measures Readings::measures(UtilizationKind kind, StandIn stand_in) {
  forget_old();
  settle_memory();
  Measures result;
  const Measure use = use_measure(Aspect::now, stand_in);
  result.utilization = value(use);
  result.kind = use == Measure::engine_active   ? UtilizationKind::engine_active
                : use == Measure::tensor_active ? UtilizationKind::tensor_core
                                                : kind;
  result.sm_active = value(Measure::sm_active);
  result.tensor_active = value(Measure::tensor_active);
  result.dram_active = value(Measure::dram_active);
  result.memory_used_bytes = whole(value(Measure::memory_used));
  result.memory_total_bytes = whole(value(Measure::memory_total));
  result.temperature_celsius = value(Measure::temperature);
  result.power_watts = value(Measure::power);
  result.power_limit_watts = value(Measure::power_limit);
  result.last_xid = whole(value(Measure::last_xid));
  result.faults = {.remap_failure = whole(value(Measure::remap_failure)),
                   .remap_pending = whole(value(Measure::remap_pending)),
                   .uncorrectable_rows = whole(value(Measure::uncorrectable_rows)),
                   .uncorrectable_errors = whole(value(Measure::uncorrectable_errors)),
                   .clock_reasons = whole(value(Measure::clock_reasons))};
  const Measure past = use_measure(Aspect::average, stand_in);
  result.average_utilization = value(past, Aspect::average);
  result.highest_utilization = value(past, Aspect::highest);
  result.highest_memory_bytes = whole(value(Measure::memory_used, Aspect::highest));
  // What one counter calls busy was not idle.
  for (const Measure measure : {use_measure(Aspect::idle, stand_in), Measure::utilization}) {
    const std::optional<double> idle = value(measure, Aspect::idle);
    if (!idle) continue;
    const std::chrono::seconds seconds(static_cast<std::int64_t>(*idle));
    result.idle_for = std::min(result.idle_for.value_or(seconds), seconds);
  }
  return result;
}

std::optional<Time> Readings::oldest() const {
  std::optional<Time> oldest;
  for (const auto& [key, reading] : values_) {
    if (key.second != Aspect::now || !reading.at) continue;
    if (!oldest || *reading.at < *oldest) oldest = reading.at;
  }
  return oldest;
}

}  // namespace gpu::telemetry
