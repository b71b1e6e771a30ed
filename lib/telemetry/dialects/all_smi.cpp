#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "telemetry/dialects/device_rows.hpp"

namespace gpu::telemetry::all_smi {
namespace {

constexpr std::array<Metric, 7> kTable = {{
    {"all_smi_gpu_utilization", Measure::utilization, Unit::percent},
    {"all_smi_gpu_memory_used_bytes", Measure::memory_used, Unit::bytes},
    {"all_smi_gpu_memory_total_bytes", Measure::memory_total, Unit::bytes},
    {"all_smi_gpu_temperature_celsius", Measure::temperature, Unit::celsius},
    {"all_smi_gpu_power_consumption_watts", Measure::power, Unit::watts},
    {"all_smi_gpu_power_limit_current_watts", Measure::power_limit, Unit::watts},
    {"all_smi_gpu_mig_mode", Measure::other, Unit::count},
}};
constexpr auto kNames = names_of(kTable);
constexpr std::size_t kMigMode = 6;
// Documents and programs differ: gpu_name and gpu_index stand in the former.
constexpr std::array<std::string_view, 3> kProduct = {"gpu", "gpu_name", "npu"};
constexpr std::array<std::string_view, 2> kIndex = {"index", "gpu_index"};

struct Maker {
  std::string_view word;  ///< in a product's name, in small letters
  Vendor vendor;
  UtilizationKind kind;
};
constexpr std::array<Maker, 14> kMakers = {{
    {"gaudi", Vendor::habana, UtilizationKind::core},
    {"habana", Vendor::habana, UtilizationKind::core},
    {"hl-", Vendor::habana, UtilizationKind::core},
    {"tpu", Vendor::google, UtilizationKind::duty_cycle},
    {"radeon", Vendor::amd, UtilizationKind::gfx_activity},
    {"instinct", Vendor::amd, UtilizationKind::gfx_activity},
    {"amd", Vendor::amd, UtilizationKind::gfx_activity},
    {"intel", Vendor::intel, UtilizationKind::engine_ratio},
    {"neuron", Vendor::aws, UtilizationKind::core},
    {"trainium", Vendor::aws, UtilizationKind::core},
    {"inferentia", Vendor::aws, UtilizationKind::core},
    {"nvidia", Vendor::nvidia, UtilizationKind::kernel_time},
    {"geforce", Vendor::nvidia, UtilizationKind::kernel_time},
    {"tesla", Vendor::nvidia, UtilizationKind::kernel_time},
}};
constexpr Maker kOther = {"", Vendor::other, UtilizationKind::core};

const Maker& maker_of(std::string_view product) {
  const std::string name = lower_case(product);
  const auto at = std::find_if(kMakers.begin(), kMakers.end(), [&name](const Maker& maker) {
    return name.find(maker.word) != std::string::npos;
  });
  return at == kMakers.end() ? kOther : *at;
}

bool identify(const DialectSample& told, Sample& sample) {
  const Series& series = *told.series;
  sample.product = label_of(series, kProduct);
  sample.uuid = label_of(series, label::kUuid);
  sample.index = number_label(series, kIndex);
  sample.vendor =
      sample.uuid.starts_with("GPU-") ? Vendor::nvidia : maker_of(sample.product).vendor;
  return !sample.uuid.empty() || sample.index.has_value();
}

/// The program writes 0 for what it cannot read, where 0 is no reading at all.
bool is_no_reading(const Metric& metric, double value) {
  return value == 0 &&
         (metric.measure == Measure::power || metric.measure == Measure::temperature ||
          metric.measure == Measure::power_limit || metric.measure == Measure::memory_total);
}

bool has_no_memory(const std::vector<Row>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const Row& row) {
    return kTable[row.told.metric].measure == Measure::memory_total && row.told.series->value == 0;
  });
}

Sample sample_of(const DeviceRows& device) {
  Readings readings;
  bool is_mig = false;
  for (const Row& row : device.rows) {
    const Metric& metric = kTable[row.told.metric];
    if (row.told.metric == kMigMode) is_mig = row.told.series->value == 1;
    if (metric.measure != Measure::other && !is_no_reading(metric, row.told.series->value))
      readings.add(metric, row.told);
  }
  if (has_no_memory(device.rows)) readings.forget(Measure::memory_used);
  if (is_mig) readings.forget(Measure::utilization);  // NVML has none, and 0 is written
  const UtilizationKind kind = device.sample.vendor == Vendor::nvidia
                                   ? UtilizationKind::kernel_time
                                   : maker_of(device.sample.product).kind;
  // A pod in these labels is the scraped one: the exporter names no owners.
  return finished(device.sample, readings, kind);
}

std::vector<Sample> samples(const std::vector<DialectSample>& told, const Origin& origin) {
  std::vector<Sample> result;
  for (const DeviceRows& device : device_rows(told, origin, identify))
    result.push_back(sample_of(device));
  return result;
}

constexpr auto kLabels = std::to_array<PodLabel>({{kAppName, "all-smi"}, {kApp, "all-smi"}});
constexpr auto kImages = std::to_array<std::string_view>({"all-smi"});
constexpr auto kWindowed = std::to_array<Windowed>({
    {"all_smi_gpu_utilization", Windowed::Scale::percent},
    {"all_smi_gpu_memory_used_bytes", Windowed::Scale::memory},
});
constexpr auto kDated = std::to_array<std::string_view>({
    "all_smi_gpu_utilization",
});

}  // namespace

extern const Dialect kDialect{.name = "all-smi",
                              .metrics = kNames,
                              .windowed = kWindowed,
                              .dated = kDated,
                              .samples = samples,
                              .pods = {
                                  .kind = "all-smi",
                                  .usual_port = 9090,
                                  .labels = kLabels,
                                  .images = kImages,
                              }};

}  // namespace gpu::telemetry::all_smi
