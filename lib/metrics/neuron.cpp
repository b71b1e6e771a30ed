#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/device_rows.hpp"

namespace gpu::metrics {
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
  explicit Hardware(const std::vector<Told>& told) {
    for (const Told& each : told) {
      if (each.metric != kHardware) continue;
      const auto cores = number_label(*each.series, Names{"neuroncore_per_device_count"});
      if (cores && *cores > 0) cores_[key(*each.series)] = *cores;
    }
  }

  [[nodiscard]] std::optional<std::int64_t> device_of(const Series& series) const {
    if (const auto named = number_label(series, kDevice)) return named;
    const auto cores = cores_.find(key(series));
    const auto core = number_label(series, Names{"neuroncore"});
    if (cores == cores_.end() || !core) return std::nullopt;
    return *core / cores->second;
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
  double sum = 0;
  std::set<std::size_t> parts;
  const Row* last = nullptr;
  for (const Row& row : rows) {
    if (row.told.metric < kFirstMemory || row.told.metric > kLastMemory ||
        row.told.aspect != Aspect::now)
      continue;
    sum += row.told.series->value;
    parts.insert(row.told.metric);
    last = &row;
  }
  if (parts.size() == kLastMemory - kFirstMemory + 1) readings.add(kMemory, last->told, sum);
}

std::vector<Sample> samples(const std::vector<Told>& told, const Origin& origin) {
  const Hardware hardware(told);
  const auto identify = [&hardware](const Told& each, Sample& sample) {
    sample.vendor = Vendor::aws;
    sample.partition = label_of(*each.series, Names{"neuroncore"});
    sample.index = hardware.device_of(*each.series);
    return !sample.partition.empty();
  };
  std::vector<Sample> result;
  for (const DeviceRows& device : device_rows(told, origin, identify)) {
    Readings readings;
    for (const Row& row : device.rows) {
      const Metric& metric = kTable[row.told.metric];
      if (metric.measure != Measure::other) readings.add(metric, row.told);
    }
    add_memory(readings, device.rows);
    // A pod in these labels is the scraped one: the exporter names no owners.
    result.push_back(finished(device.sample, readings, UtilizationKind::core));
  }
  return result;
}

}  // namespace

const Dialect kNeuron{.name = "neuron-monitor", .metrics = kNames, .samples = samples};

}  // namespace gpu::metrics
