#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "telemetry/dialects/device_rows.hpp"
#include "telemetry/dialects/dialect.hpp"

namespace gpu::telemetry::hami {
namespace {

/// New names, then those of --legacyMetrics. Utilizations are 0 to 100 whatever their names say.
/// The scheduler's metrics (allocated, limit of a card) are of requests, and not read.
constexpr std::array<Metric, 16> kTable = {{
    {"hami_host_gpu_utilization_ratio", Measure::utilization, Unit::percent},
    {"HostCoreUtilization", Measure::utilization, Unit::percent},
    {"hami_host_gpu_memory_used_bytes", Measure::memory_used, Unit::bytes},
    {"HostGPUMemoryUsage", Measure::memory_used, Unit::bytes},
    {"hami_host_gpu_memory_total_bytes", Measure::memory_total, Unit::bytes},
    {"hami_host_gpu_temperature_celsius", Measure::temperature, Unit::celsius},
    {"hami_host_gpu_power_usage_watts", Measure::power, Unit::watts},
    {"hami_container_device_utilization_ratio", Measure::utilization, Unit::percent},
    {"Device_utilization_desc_of_container", Measure::utilization, Unit::percent},
    {"hami_vgpu_memory_used_bytes", Measure::memory_used, Unit::bytes},
    {"Device_memory_desc_of_container", Measure::memory_used, Unit::bytes},
    {"vGPU_device_memory_usage_in_bytes", Measure::memory_used, Unit::bytes},
    {"hami_vgpu_memory_limit_bytes", Measure::other, Unit::bytes},
    {"vGPU_device_memory_limit_in_bytes", Measure::other, Unit::bytes},
    {"hami_container_last_kernel_elapsed_seconds", Measure::other, Unit::count},
    {"Device_last_kernel_of_container", Measure::other, Unit::count},
}};
constexpr auto kNames = names_of(kTable);
constexpr std::size_t kFirstOfContainers = 7;
constexpr std::size_t kFirstLimit = 12;
constexpr std::size_t kFirstLastKernel = 14;

constexpr std::array<std::string_view, 3> kUuid = {"device_uuid", "deviceuuid", "uuid"};
constexpr std::array<std::string_view, 2> kIndex = {"device_index", "deviceidx"};
constexpr std::array<std::string_view, 2> kType = {"device_type", "devicetype"};
constexpr std::array<std::string_view, 2> kShare = {"vdevice_index", "vdeviceid"};

/// HAMi's monitors of other makers' devices use the same names.
Vendor vendor_of(std::string_view type) {
  const std::string lower = lower_case(type);
  if (lower.empty() || lower.starts_with("nvidia") || lower.starts_with("tesla") ||
      lower.starts_with("geforce"))
    return Vendor::nvidia;
  return lower.starts_with("amd") ? Vendor::amd : Vendor::other;
}

bool identify(const DialectSample& told, Sample& sample) {
  const Series& series = *told.series;
  sample.uuid = label_of(series, kUuid);
  if (sample.uuid.empty()) return false;
  sample.index = number_label(series, kIndex);
  sample.product = label_of(series, kType);
  sample.vendor = vendor_of(sample.product);
  return true;
}

/// One container's part of a device.
struct Part {
  Readings readings;
  std::optional<double> limit;
  std::optional<double> last_kernel;  ///< seconds ago
};
using Parts = std::map<std::pair<std::string, std::string>, Part>;  ///< by container and share

void add(Part& part, const Row& row) {
  const std::size_t metric = row.told.metric;
  const double value = row.told.series->value;
  const bool is_credible = std::isfinite(value) && value >= 0 && value < 1e14;
  if (metric < kFirstLimit)
    part.readings.add(kTable[metric], row.told);
  else if (metric < kFirstLastKernel && is_credible && value > 0)
    part.limit = value;
  else if (metric >= kFirstLastKernel && is_credible)
    part.last_kernel = value;
}

std::optional<double> sum(const Parts& parts, Measure measure) {
  double total = 0;
  for (const auto& [place, part] : parts) {
    const std::optional<double> value = part.readings.value(measure);
    if (!value) return std::nullopt;
    total += *value;
  }
  return total;
}

std::optional<std::int64_t> bytes(const std::optional<double>& value) {
  if (!value) return std::nullopt;
  return std::llround(*value);
}

/// What a pod uses: the sum of its containers. Memory's limit is not a device's total: HAMi lets
/// pods use more, where it swaps.
Measures measures_of(const Parts& parts, Readings& device) {
  Measures own;
  if (const auto use = sum(parts, Measure::utilization)) own.utilization = std::min(*use, 1.0);
  own.memory_used_bytes = bytes(sum(parts, Measure::memory_used));
  std::optional<double> limit = 0;
  std::optional<double> last_kernel;
  for (const auto& [place, part] : parts) {
    limit = limit && part.limit ? std::optional(*limit + *part.limit) : std::nullopt;
    if (part.last_kernel)
      last_kernel = std::min(last_kernel.value_or(*part.last_kernel), *part.last_kernel);
    for (const std::string& doubt : part.readings.doubts()) device.doubt(doubt);
    for (const std::string& text : part.readings.suspect()) device.suspect(text);
  }
  own.memory_total_bytes = bytes(limit);
  constexpr double kBusy = 0.05;
  constexpr double kLong = 60;
  if (!last_kernel) return own;
  if (own.utilization.value_or(0) >= kBusy && *last_kernel > kLong)
    device.suspect("a container is reported to be busy, and to have run nothing for over a minute");
  else
    own.idle_for = std::chrono::seconds(static_cast<std::int64_t>(*last_kernel));
  return own;
}

void suspect_contradictions(const SampleOwner& owner, Readings& device) {
  const std::optional<double> whole = device.value(Measure::utilization);
  if (whole && owner.own.utilization && *owner.own.utilization > *whole + 0.5)
    device.suspect("use of a container and of its card contradict each other");
}

Sample sample_of(DeviceRows& device) {
  Readings readings;
  std::map<std::string, Parts> pods;
  for (Row& row : device.rows) {
    if (row.told.metric < kFirstOfContainers) {
      row.owner = {};
      readings.add(kTable[row.told.metric], row.told);
      continue;
    }
    row.owner.share = label_of(*row.told.series, kShare);
    if (!row.owner.pod.empty() && row.told.aspect == Aspect::now)
      add(pods[owner_key(row.owner)][{row.owner.container, row.owner.share}], row);
  }
  device.sample.owners = owners_in(device.rows);
  for (SampleOwner& owner : device.sample.owners) {
    owner.own = measures_of(pods[owner_key(owner)], readings);
    suspect_contradictions(owner, readings);
  }
  return finished(std::move(device.sample), readings, UtilizationKind::kernel_time);
}

std::vector<Sample> samples(const std::vector<DialectSample>& told, const Origin& origin) {
  std::vector<Sample> samples;
  for (DeviceRows& device : device_rows(told, origin, identify))
    samples.push_back(sample_of(device));
  return samples;
}

constexpr auto kLabels = std::to_array<PodLabel>({{kComponent, "hami-device-plugin"}});
constexpr auto kContainers = std::to_array<std::string_view>({"vgpu-monitor"});
constexpr auto kWindowed = std::to_array<Windowed>({
    {"HostCoreUtilization", Windowed::Scale::percent},
    {"hami_host_gpu_utilization_ratio", Windowed::Scale::percent},  // 0 to 100, whatever its name
    {"HostGPUMemoryUsage", Windowed::Scale::memory},
    {"hami_host_gpu_memory_used_bytes", Windowed::Scale::memory},
});
constexpr auto kDated = std::to_array<std::string_view>({
    "HostCoreUtilization",
    "HostGPUMemoryUsage",
    "Device_utilization_desc_of_container",
    "Device_memory_desc_of_container",
    "vGPU_device_memory_usage_in_bytes",
    "hami_host_gpu_utilization_ratio",
    "hami_host_gpu_memory_used_bytes",
    "hami_container_device_utilization_ratio",
    "hami_vgpu_memory_used_bytes",
});

}  // namespace

extern const Dialect kDialect{.name = "hami",
                              .metrics = kNames,
                              .windowed = kWindowed,
                              .dated = kDated,
                              .samples = samples,
                              .pods = {
                                  .kind = "HAMi monitor",
                                  .usual_port = 9394,
                                  .labels = kLabels,
                                  .container = "vgpu-monitor",
                                  .containers = kContainers,
                              }};

}  // namespace gpu::telemetry::hami
