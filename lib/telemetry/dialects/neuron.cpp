#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "telemetry/dialects/device_rows.hpp"

namespace gpu::telemetry::neuron {
namespace {

constexpr std::array<Metric, 8> kTable = {{
    {"neuroncore_utilization_ratio", Measure::utilization, Unit::ratio},
    {"neuroncore_memory_usage_constants", Measure::other, Unit::bytes},
    {"neuroncore_memory_usage_model_code", Measure::other, Unit::bytes},
    {"neuroncore_memory_usage_model_shared_scratchpad", Measure::other, Unit::bytes},
    {"neuroncore_memory_usage_runtime_memory", Measure::other, Unit::bytes},
    {"neuroncore_memory_usage_tensors", Measure::other, Unit::bytes},
    {"neuron_hardware_info", Measure::other, Unit::count},
    {"neuron_runtime_memory_used_bytes", Measure::other, Unit::bytes},
}};
constexpr auto kNames = names_of(kTable);
constexpr std::size_t kFirstMemory = 1;
constexpr std::size_t kLastMemory = 5;
constexpr std::size_t kHardware = 6;
constexpr Metric kMemory = {"neuroncore_memory_usage_*", Measure::memory_used, Unit::bytes};

using Names = std::array<std::string_view, 1>;
constexpr std::array<std::string_view, 4> kDevice = {"neuron_device_index", "neurondevice",
                                                     "neuron_device", "NeuronDevice"};

/// How many cores a device has, of each instance: rows of cores name no device.
class Hardware {
 public:
  explicit Hardware(const std::vector<DialectSample>& told) {
    for (const DialectSample& each : told) {
      if (each.metric != kHardware) continue;
      const auto cores = number_label(*each.series, Names{"neuroncore_per_device_count"});
      if (cores && *cores > 0) cores_[key(*each.series)] = *cores;
    }
  }

  [[nodiscard]] std::optional<std::int64_t> cores_per_device(const Series& series) const {
    const auto cores = cores_.find(key(series));
    return cores == cores_.end() ? std::nullopt : std::optional(cores->second);
  }

  [[nodiscard]] std::optional<std::int64_t> device_of(const Series& series) const {
    if (const auto named = number_label(series, kDevice)) return named;
    const auto cores = cores_per_device(series);
    const auto core = number_label(series, Names{"neuroncore"});
    return cores && core ? std::optional(*core / *cores) : std::nullopt;
  }

 private:
  static std::pair<std::string_view, std::string_view> key(const Series& series) {
    return {value_of(series.labels, "instance_id"), value_of(series.labels, "instance")};
  }
  std::map<std::pair<std::string_view, std::string_view>, std::int64_t> cores_;
};

/// What the runtimes on a core hold of its memory: all parts, or it is not known. What a runtime
/// holds in all (neuron_runtime_memory_used_bytes) is of no core, and partly the host's.
void add_memory(Readings& readings, const std::vector<Row>& rows) {
  std::map<std::pair<std::size_t, std::string_view>, double> held;  // by part and runtime
  std::set<std::size_t> parts;
  const Row* last = nullptr;
  for (const Row& row : rows) {
    if (row.told.metric < kFirstMemory || row.told.metric > kLastMemory ||
        row.told.aspect != Aspect::now)
      continue;
    const double value = row.told.series->value;
    if (std::isnan(value) || value < 0) return readings.add(kMemory, row.told);
    double& known = held[{row.told.metric, value_of(row.told.series->labels, "runtime_tag")}];
    known = std::max(known, value);
    parts.insert(row.told.metric);
    last = &row;
  }
  if (parts.size() != kLastMemory - kFirstMemory + 1) return;
  double sum = 0;
  for (const auto& [part, value] : held) sum += value;
  readings.add(kMemory, last->told, sum);
}

Readings readings_of(const DeviceRows& core) {
  Readings readings;
  for (const Row& row : core.rows) {
    const Metric& metric = kTable[row.told.metric];
    if (metric.measure != Measure::other) readings.add(metric, row.told);
  }
  add_memory(readings, core.rows);
  return readings;
}

/// A device with all of its cores that are told of.
struct Device {
  Sample sample;
  std::int64_t cores = 0;  ///< that it has
  std::vector<Readings> told;
  DialectSample last;
};

/// A device is as busy as its cores are on the average, and holds what they hold; of one that is
/// not told of whole, nobody knows.
std::optional<Sample> sample_of(const Device& device) {
  if (device.cores != static_cast<std::int64_t>(device.told.size())) return std::nullopt;
  std::optional<double> busy = 0;
  std::optional<double> held = 0;
  const auto sum = [](std::optional<double>& to, std::optional<double> more) {
    to = to && more ? std::optional(*to + *more) : std::nullopt;
  };
  for (const Readings& core : device.told) {
    sum(busy, core.value(Measure::utilization));
    sum(held, core.value(Measure::memory_used));
  }
  Readings readings;
  if (busy) readings.add(kTable[0], device.last, *busy / static_cast<double>(device.cores));
  if (held) readings.add(kMemory, device.last, *held);
  if (readings.empty()) return std::nullopt;
  return finished(device.sample, readings, UtilizationKind::core);
}

std::vector<Sample> samples(const std::vector<DialectSample>& told, const Origin& origin) {
  const Hardware hardware(told);
  const auto identify = [&hardware](const DialectSample& each, Sample& sample) {
    sample.vendor = Vendor::aws;
    sample.partition = label_of(*each.series, Names{"neuroncore"});
    sample.index = hardware.device_of(*each.series);
    return !sample.partition.empty();
  };
  std::vector<Sample> result;
  std::map<std::tuple<std::string, std::string, std::int64_t>, Device> devices;
  for (const DeviceRows& core : device_rows(told, origin, identify)) {
    if (core.rows.empty()) continue;
    Readings readings = readings_of(core);
    const DialectSample& last = core.rows.back().told;
    if (core.sample.index) {
      Device& device = devices[{core.sample.node, core.sample.instance, *core.sample.index}];
      device.sample = core.sample;
      device.sample.partition.clear();
      device.cores = hardware.cores_per_device(*last.series).value_or(0);
      device.told.push_back(readings);
      device.last = last;
    }
    // A pod in these labels is the scraped one: the exporter names no owners.
    result.push_back(finished(core.sample, readings, UtilizationKind::core));
  }
  for (const auto& [place, device] : devices)
    if (std::optional<Sample> sample = sample_of(device)) result.push_back(std::move(*sample));
  return result;
}

constexpr auto kLabels = std::to_array<PodLabel>(
    {{kK8sApp, "neuron-monitor"}, {kAppName, "neuron-monitor"}, {kApp, "neuron-monitor"}});
constexpr auto kImages = std::to_array<std::string_view>({"neuron-monitor"});
constexpr auto kContainers = std::to_array<std::string_view>({"neuron-monitor"});
constexpr auto kWindowed = std::to_array<Windowed>({
    {"neuroncore_utilization_ratio", Windowed::Scale::ratio},
});
constexpr auto kDated = std::to_array<std::string_view>({
    "neuroncore_utilization_ratio",
});

}  // namespace

extern const Dialect kDialect{.name = "neuron-monitor",
                              .metrics = kNames,
                              .windowed = kWindowed,
                              .dated = kDated,
                              .samples = samples,
                              .pods = {
                                  .kind = "Neuron monitor",
                                  .usual_port = 8000,
                                  .labels = kLabels,
                                  .images = kImages,
                                  .containers = kContainers,
                              }};

}  // namespace gpu::telemetry::neuron
