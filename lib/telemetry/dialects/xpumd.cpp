#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "telemetry/dialects/owner_labels.hpp"
#include "telemetry/dialects/tiles.hpp"

namespace gpu::telemetry::xpumd {
namespace {

constexpr std::array<Metric, 7> kTable = {{
    {"hw_gpu_utilization_ratio", Measure::utilization, Unit::ratio},
    {"hw_memory_usage_bytes", Measure::memory_used, Unit::bytes},
    {"hw_memory_size_bytes", Measure::memory_total, Unit::bytes},
    {"hw_memory_bandwidth_utilization_ratio", Measure::dram_active, Unit::ratio},
    {"hw_power_watts", Measure::power, Unit::watts},
    {"hw_temperature_celsius", Measure::temperature, Unit::celsius},
    {"hw_gpu_info", Measure::other, Unit::count},
}};
constexpr auto kNames = names_of(kTable);
constexpr std::array<std::string_view, 2> kTile = {"com_intel_subdevice_id",
                                                   "com_intel_gpu_subdevice_id"};

std::string_view label(const Series& series, std::string_view name) {
  return value_of(series.labels, name);
}

/// How much of a card a power sensor sees: 0 is all of it.
int part_seen(const Series& series) {
  static constexpr std::array<std::string_view, 4> kLocations = {"card", "", "package", "gpu"};
  const std::string_view location = label(series, "hw_sensor_location");
  const auto at = std::find(kLocations.begin(), kLocations.end(), location);
  return static_cast<int>(at - kLocations.begin());
}

/// What tells a card from others before devices are grouped.
using CardKey = std::tuple<std::string_view, std::string_view, std::string_view>;

CardKey card_key(const Series& series) {
  return {label(series, "pci_bdf"), label(series, "node"), label(series, "instance")};
}

class Choice {
 public:
  explicit Choice(const std::vector<DialectSample>& told) {
    for (const DialectSample& each : told) {
      if (kTable[each.metric].measure != Measure::power) continue;
      const int seen = part_seen(*each.series);
      const auto [at, is_new] = widest_.emplace(card_key(*each.series), seen);
      if (!is_new) at->second = std::min(at->second, seen);
    }
  }

  /// Whether a row is of the card, and not of its host's memory, another sensor or a limit.
  [[nodiscard]] bool takes(const DialectSample& told) const {
    const Series& series = *told.series;
    switch (kTable[told.metric].measure) {
      case Measure::power:
        return part_seen(series) == widest_.at(card_key(series)) && label_of(series, kTile).empty();
      case Measure::temperature: {
        const std::string_view location = label(series, "hw_sensor_location");
        return location.empty() || location == "gpu";
      }
      case Measure::memory_used:
      case Measure::memory_total: {
        const std::string_view location = label(series, "hw_memory_location");
        return location.empty() || location == "device";
      }
      case Measure::utilization:
      case Measure::dram_active:
      case Measure::other:
      case Measure::engine_active:
      case Measure::sm_active:
      case Measure::tensor_active:
      case Measure::memory_free:
      case Measure::memory_reserved:
      case Measure::memory_ratio:
      case Measure::power_limit:
      case Measure::last_xid:
      case Measure::remap_failure:
      case Measure::remap_pending:
      case Measure::uncorrectable_rows:
      case Measure::uncorrectable_errors:
      case Measure::clock_reasons:
        return true;
    }
    return false;
  }

 private:
  std::map<CardKey, int> widest_;
};

/// These names are OpenTelemetry's, and others write them too: only xpumd has a PCI address on each
/// row.
bool identify(const DialectSample& told, Sample& sample) {
  const Series& series = *told.series;
  sample.vendor = Vendor::intel;
  sample.pci_bus_id = label(series, "pci_bdf");
  sample.partition = label_of(series, kTile);
  sample.product = label(series, "hw_model");
  return !sample.pci_bus_id.empty();
}

std::vector<Sample> samples(const std::vector<DialectSample>& told, const Origin& origin) {
  const Choice choice(told);
  const NamedOwners nobody(told, {});
  return samples_with_tiles(nobody.told(), origin, kTable,
                            [&choice](const DialectSample& each, Sample& sample) {
                              return identify(each, sample) && choice.takes(each);
                            });
}

constexpr auto kLabels = std::to_array<PodLabel>({{kAppName, "xpumd"}, {kApp, "xpumd"}});
constexpr auto kImages = std::to_array<std::string_view>({"xpumd"});
constexpr auto kContainers = std::to_array<std::string_view>({"xpumd"});
constexpr auto kWindowed = std::to_array<Windowed>({
    {"hw_gpu_utilization_ratio", Windowed::Scale::ratio},
});
constexpr auto kDated = std::to_array<std::string_view>({
    "hw_gpu_utilization_ratio",
    "hw_memory_usage_bytes",
    "hw_power_watts",
    "hw_temperature_celsius",
});

}  // namespace

extern const Dialect kDialect{.name = "xpumd",
                              .metrics = kNames,
                              .matcher = R"(pci_bdf!="")",
                              .windowed = kWindowed,
                              .dated = kDated,
                              .samples = samples,
                              .pods = {
                                  .kind = "Intel xpumd",
                                  .usual_port = 8080,
                                  .labels = kLabels,
                                  .images = kImages,
                                  .containers = kContainers,
                              }};

}  // namespace gpu::telemetry::xpumd
