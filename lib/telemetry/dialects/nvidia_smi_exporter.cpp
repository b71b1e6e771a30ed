#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "telemetry/dialects/device_rows.hpp"
#include "telemetry/dialects/dialect.hpp"

namespace gpu::telemetry::nvidia_smi {
namespace {

/// Names by nvidia-smi's fields, of which utilization.memory is bandwidth in use and not read. Of
/// pods it knows nothing: its processes are host PIDs.
constexpr std::array<Metric, 20> kTable = {{
    {"nvidia_smi_gpu_info", Measure::other, Unit::count},
    {"nvidia_smi_mig_info", Measure::other, Unit::count},
    {"nvidia_smi_mig_mode_current", Measure::other, Unit::count},
    {"nvidia_smi_last_collect_success", Measure::other, Unit::count},
    {"nvidia_smi_utilization_gpu_ratio", Measure::utilization, Unit::ratio},
    {"nvidia_smi_memory_used_bytes", Measure::memory_used, Unit::bytes},
    {"nvidia_smi_memory_total_bytes", Measure::memory_total, Unit::bytes},
    {"nvidia_smi_power_draw_watts", Measure::power, Unit::watts},
    {"nvidia_smi_power_draw_average_watts", Measure::power, Unit::watts},
    {"nvidia_smi_power_draw_instant_watts", Measure::power, Unit::watts},
    {"nvidia_smi_enforced_power_limit_watts", Measure::power_limit, Unit::watts},
    {"nvidia_smi_power_limit_watts", Measure::power_limit, Unit::watts},
    {"nvidia_smi_temperature_gpu", Measure::temperature, Unit::celsius},
    {"nvidia_smi_temperature_gpu_celsius", Measure::temperature, Unit::celsius},
    {"nvidia_smi_mig_graphics_activity_ratio", Measure::engine_active, Unit::ratio},
    {"nvidia_smi_mig_sm_activity_ratio", Measure::sm_active, Unit::ratio},
    {"nvidia_smi_mig_tensor_activity_ratio", Measure::tensor_active, Unit::ratio},
    {"nvidia_smi_mig_memory_used_bytes", Measure::memory_used, Unit::bytes},
    {"nvidia_smi_mig_memory_total_bytes", Measure::memory_total, Unit::bytes},
    {"nvidia_smi_index", Measure::other, Unit::count},
}};
constexpr auto kNames = names_of(kTable);

constexpr std::array<std::string_view, 1> kIndex = {"index"};
constexpr std::array<std::string_view, 1> kUuid = {"uuid"};
constexpr std::array<std::string_view, 1> kGpuInstance = {"gpu_instance_id"};
constexpr std::array<std::string_view, 1> kProfile = {"profile"};
constexpr std::array<std::string_view, 1> kName = {"name"};

std::string_view name_of(const DialectSample& told) { return kTable[told.metric].name; }

bool identify(const DialectSample& told, Sample& sample) {
  const Series& series = *told.series;
  sample.vendor = Vendor::nvidia;
  sample.uuid = label_of(series, kUuid);
  if (sample.uuid.empty()) return false;
  sample.mig_instance = label_of(series, kGpuInstance);
  if (!sample.mig_instance.empty()) sample.profile = label_of(series, kProfile);
  if (name_of(told) == "nvidia_smi_gpu_info") {
    sample.index = number_label(series, kIndex);
    sample.product = label_of(series, kName);
    sample.pci_bus_id = label_of(series, label::kPci);
  }
  if (name_of(told) == "nvidia_smi_index" && series.value >= 0 && series.value < 1024)
    sample.index = static_cast<std::int64_t>(series.value);
  return true;
}

/// Where the exporter says that what it shows is not of now.
std::set<std::string> failing_places(const std::vector<DialectSample>& told, const Origin& origin) {
  std::set<std::string> places;
  const Owners owners(told, origin);
  for (const DialectSample& each : told)
    if (name_of(each) == "nvidia_smi_last_collect_success" && each.series->value == 0)
      places.insert(place_of(placed(each, origin, owners)));
  return places;
}

bool is_mig(const DeviceRows& device) {
  return std::any_of(device.rows.begin(), device.rows.end(), [](const Row& row) {
    return name_of(row.told) == "nvidia_smi_mig_mode_current" && row.told.series->value == 1;
  });
}

std::vector<Sample> samples(const std::vector<DialectSample>& told, const Origin& origin) {
  const std::set<std::string> failing = failing_places(told, origin);
  std::vector<Sample> samples;
  for (DeviceRows& device : device_rows(told, origin, identify)) {
    Readings readings;
    if (failing.contains(place_of(device.sample))) {
      readings.doubt("the exporter says that it could not read the GPUs");
    } else {
      for (const Row& row : device.rows) readings.add(kTable[row.told.metric], row.told);
      if (is_mig(device)) readings.forget(Measure::utilization);
    }
    samples.push_back(finished(std::move(device.sample), readings, UtilizationKind::kernel_time));
  }
  return samples;
}

constexpr auto kLabels = std::to_array<PodLabel>({{kAppName, "nvidia-gpu-exporter"},
                                                  {kAppName, "nvidia_gpu_exporter"},
                                                  {kApp, "nvidia-gpu-exporter"}});
constexpr auto kImages =
    std::to_array<std::string_view>({"nvidia_gpu_exporter", "nvidia-gpu-exporter"});
constexpr auto kContainers = std::to_array<std::string_view>({"nvidia-gpu-exporter"});
constexpr auto kWindowed = std::to_array<Windowed>({
    {"nvidia_smi_utilization_gpu_ratio", Windowed::Scale::ratio},
    {"nvidia_smi_memory_used_bytes", Windowed::Scale::memory},
});
constexpr auto kDated = std::to_array<std::string_view>({
    "nvidia_smi_memory_used_bytes",
});

}  // namespace

extern const Dialect kDialect{.name = "nvidia_gpu_exporter",
                              .metrics = kNames,
                              .windowed = kWindowed,
                              .dated = kDated,
                              .samples = samples,
                              .pods = {
                                  .kind = "nvidia_gpu_exporter",
                                  .usual_port = 9835,
                                  .labels = kLabels,
                                  .images = kImages,
                                  .containers = kContainers,
                              }};

}  // namespace gpu::telemetry::nvidia_smi
