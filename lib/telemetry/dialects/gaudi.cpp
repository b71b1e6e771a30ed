#include <array>
#include <string_view>
#include <vector>

#include "telemetry/dialects/device_rows.hpp"
#include "telemetry/dialects/owner_labels.hpp"

namespace gpu::telemetry::gaudi {
namespace {

// habanalabs_temperature_threshold_* are limits, no readings.
constexpr std::array<Metric, 8> kTable = {{
    {"habanalabs_utilization", Measure::utilization, Unit::percent},
    {"habanalabs_memory_used_bytes", Measure::memory_used, Unit::bytes},
    {"habanalabs_memory_free_bytes", Measure::memory_free, Unit::bytes},
    {"habanalabs_memory_total_bytes", Measure::memory_total, Unit::bytes},
    {"habanalabs_power_mW", Measure::power, Unit::milliwatts},
    {"habanalabs_power_default_limit_mW", Measure::power_limit, Unit::milliwatts},
    {"habanalabs_temperature_onchip", Measure::temperature, Unit::celsius},
    {"habanalabs_temperature_onboard", Measure::temperature, Unit::celsius},
}};
constexpr auto kNames = names_of(kTable);
constexpr std::array<std::string_view, 4> kIndex = {"id", "index", "device", "minor"};
constexpr std::array<std::string_view, 4> kSerial = {"Serial", "serial", "serial_number", "device"};
constexpr std::int64_t kMostCards = 64;

bool identify(const DialectSample& told, Sample& sample) {
  const Series& series = *told.series;
  sample.vendor = Vendor::habana;
  sample.uuid = label_of(series, label::kUuid);
  sample.pci_bus_id = label_of(series, label::kPci);
  sample.index = number_label(series, kIndex);
  if (sample.index && *sample.index >= kMostCards) sample.index.reset();  // a serial number
  if (sample.uuid.empty() && !sample.index) sample.uuid = label_of(series, kSerial);
  return !sample.uuid.empty() || sample.index || !sample.pci_bus_id.empty();
}

std::vector<Sample> samples(const std::vector<DialectSample>& told, const Origin& origin) {
  const NamedOwners named(told, {.pod = "pod_name", .ns = "pod_namespace", .container = {}});
  return plain_samples(named.told(), origin, kTable, UtilizationKind::core, identify);
}

constexpr auto kLabels = std::to_array<PodLabel>(
    {{kAppName, "habana-metric-exporter-ds"}, {kAppName, "habana-metric-exporter"}});
constexpr auto kImages = std::to_array<std::string_view>(
    {"habana-metric-exporter", "gaudi-metric-exporter", "gaudi-metric-exporter/metric-exporter"});
constexpr auto kWindowed = std::to_array<Windowed>({
    {"habanalabs_utilization", Windowed::Scale::percent},
    {"habanalabs_memory_used_bytes", Windowed::Scale::memory},
});
constexpr auto kDated = std::to_array<std::string_view>({
    "habanalabs_utilization",
});

}  // namespace

extern const Dialect kDialect{.name = "habana-metric-exporter",
                              .metrics = kNames,
                              .windowed = kWindowed,
                              .dated = kDated,
                              .samples = samples,
                              .pods = {
                                  .kind = "Gaudi metric exporter",
                                  .usual_port = 41611,
                                  .labels = kLabels,
                                  .images = kImages,
                              }};

}  // namespace gpu::telemetry::gaudi
