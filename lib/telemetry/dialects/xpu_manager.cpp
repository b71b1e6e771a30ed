#include <array>
#include <string_view>
#include <vector>

#include "telemetry/dialects/owner_labels.hpp"
#include "telemetry/dialects/tiles.hpp"

namespace gpu::telemetry::xpu_manager {
namespace {

// HELP says per cent, but the exporter writes 0 to 1. What engines are in use counts by the
// busiest: the card's own ratio first, then its engine groups, then single engines.
constexpr std::array<Metric, 8> kTable = {{
    {"xpum_engine_ratio", Measure::utilization, Unit::ratio},
    {"xpum_engine_group_ratio", Measure::utilization, Unit::ratio},
    {"xpum_per_engine_ratio", Measure::utilization, Unit::ratio},
    {"xpum_memory_used_bytes", Measure::memory_used, Unit::bytes},
    {"xpum_memory_bandwidth_ratio", Measure::dram_active, Unit::ratio},
    {"xpum_power_watts", Measure::power, Unit::watts},
    {"xpum_temperature_celsius", Measure::temperature, Unit::celsius},
    {"xpum_max_temperature_celsius", Measure::temperature, Unit::celsius},
}};
constexpr auto kNames = names_of(kTable);

bool identify(const DialectSample& told, Sample& sample) {
  using Names = std::array<std::string_view, 1>;
  const Series& series = *told.series;
  // Memory and other parts have temperatures of their own.
  const std::string_view location = value_of(series.labels, "location");
  if (kTable[told.metric].measure == Measure::temperature && !location.empty() && location != "gpu")
    return false;
  sample.vendor = Vendor::intel;
  sample.uuid = label_of(series, Names{"uuid"});
  sample.pci_bus_id = label_of(series, label::kPci);
  sample.product = label_of(series, Names{"dev_name"});
  sample.partition = label_of(series, Names{"sub_dev"});
  // Rows of a physical card with several GPUs have only `card`: they are sums.
  return !sample.uuid.empty() || !sample.pci_bus_id.empty();
}

std::vector<Sample> samples(const std::vector<DialectSample>& told, const Origin& origin) {
  const NamedOwners named(
      told, {.pod = "kube_pod", .ns = "kube_namespace", .container = "kube_container"});
  return samples_with_tiles(named.told(), origin, kTable, identify);
}

constexpr auto kLabels =
    std::to_array<PodLabel>({{kApp, "intel-xpumanager"}, {kAppName, "intel-xpumanager"}});
constexpr auto kImages = std::to_array<std::string_view>({"xpumanager", "intel-xpumanager"});
constexpr auto kWindowed = std::to_array<Windowed>({
    {"xpum_engine_ratio", Windowed::Scale::ratio},
    {"xpum_engine_group_ratio", Windowed::Scale::ratio},
});
constexpr auto kDated = std::to_array<std::string_view>({
    "xpum_engine_ratio",
});

}  // namespace

extern const Dialect kDialect{.name = "xpu-manager",
                              .metrics = kNames,
                              .windowed = kWindowed,
                              .dated = kDated,
                              .samples = samples,
                              .pods = {
                                  .kind = "Intel XPU Manager",
                                  .usual_port = 29999,
                                  .labels = kLabels,
                                  .images = kImages,
                              }};

}  // namespace gpu::telemetry::xpu_manager
