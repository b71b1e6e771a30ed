#include <array>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/ascii.hpp"
#include "telemetry/dialects/device_rows.hpp"

namespace gpu::telemetry::amd {
namespace {

// VRAM is in MiB, though HELP says MB: the exporter passes on what amd-smi got by dividing bytes by
// 1024 * 1024, and so an MI325X of 256 GiB has 262128.
constexpr std::array<Metric, 15> kTable = {{
    {"gpu_gfx_activity", Measure::utilization, Unit::percent},
    {"gpu_gfx_busy_instantaneous", Measure::other, Unit::percent},
    {"gpu_umc_activity", Measure::dram_active, Unit::percent},
    {"gpu_used_vram", Measure::memory_used, Unit::mebibytes},
    {"gpu_total_vram", Measure::memory_total, Unit::mebibytes},
    {"gpu_package_power", Measure::power, Unit::watts},
    {"gpu_average_package_power", Measure::power, Unit::watts},
    {"gpu_power_usage", Measure::power, Unit::watts},
    {"gpu_junction_temperature", Measure::temperature, Unit::celsius},
    {"gpu_edge_temperature", Measure::temperature, Unit::celsius},
    // The old amd_smi_exporter, from here on.
    {"amd_gpu_use_percent", Measure::utilization, Unit::percent},
    {"amd_gpu_memory_use_percent", Measure::dram_active, Unit::percent},
    {"amd_gpu_power", Measure::power, Unit::watts},
    {"amd_gpu_power_cap", Measure::power_limit, Unit::watts},
    {"amd_gpu_current_temperature", Measure::temperature, Unit::celsius},
}};
constexpr std::size_t kBusy = 1;
constexpr std::size_t kFirstRaw = 12;  ///< from here on, values may be as the library gives them
/// What a compute partition is busy with: the mean over its compute dies, as gfx_activity is one.
constexpr Metric kMeanBusy = {"gpu_gfx_busy_instantaneous", Measure::utilization, Unit::percent};
constexpr auto kNames = names_of(kTable);

using Names1 = std::array<std::string_view, 1>;
using Names2 = std::array<std::string_view, 2>;

/// The partition of a card that is cut into several; empty for a whole one. A whole card is
/// partition "NA" of older exporters and "0" of compute type spx.
std::string partition_of(const Series& series) {
  const std::string_view id = value_of(series.labels, "gpu_partition_id");
  if (!whole_number(id)) return {};
  const std::string type = lower_case(value_of(series.labels, "gpu_compute_partition_type"));
  const bool is_whole = type.empty() || type == "spx" || type == "none" || type == "na";
  return is_whole && id == "0" ? std::string() : std::string(id);
}

/// UUIDs by what all rows of a card have: a site chooses the labels of each version anew, and rows
/// that came by different ways may differ.
class Uuids {
 public:
  explicit Uuids(const std::vector<DialectSample>& told) {
    for (const DialectSample& each : told) {
      const std::string_view uuid = value_of(each.series->labels, "gpu_uuid");
      if (!uuid.empty()) uuids_.emplace(key(*each.series), uuid);
    }
  }
  [[nodiscard]] std::string_view of(const Series& series) const {
    const auto known = uuids_.find(key(series));
    return known == uuids_.end() ? std::string_view() : known->second;
  }

 private:
  using Key = std::array<std::string_view, 4>;
  static Key key(const Series& series) {
    return {value_of(series.labels, "gpu_id"), value_of(series.labels, "hostname"),
            value_of(series.labels, "instance"), value_of(series.labels, "node")};
  }
  std::map<Key, std::string_view> uuids_;
};

bool identify(const DialectSample& told, Sample& sample) {
  const Series& series = *told.series;
  sample.vendor = Vendor::amd;
  sample.index = number_label(series, Names1{"gpu_id"});
  sample.product = label_of(series, Names2{"card_series", "card_model"});
  sample.pci_bus_id = label_of(series, label::kPci);
  sample.partition = partition_of(series);
  if (kTable[told.metric].name.starts_with("amd_")) {
    // amd_smi_exporter puts the number into a label that is named as the metric.
    const std::array<std::string_view, 1> number = {kTable[told.metric].name.substr(4)};
    sample.index = number_label(series, number);
    sample.product = label_of(series, Names1{"productname"});
  }
  return !sample.uuid.empty() || sample.index.has_value();
}

/// Old exporters write 0 for what the card does not tell (issue 353), and no card draws 0 W or is
/// at 0 C.
bool may_be_unsupported(const Metric& metric, const Series& series) {
  return series.value == 0 &&
         (metric.measure == Measure::power || metric.measure == Measure::temperature);
}

/// A value of `metric` in its unit. amd_smi_exporter passes on microwatts and thousandths of a
/// degree; forks of it divide. No card draws over 1 MW, and none is at 1000 C.
double in_unit(std::size_t metric, double value) {
  if (metric < kFirstRaw) return value;
  if (kTable[metric].measure == Measure::temperature) return value >= 1000 ? value / 1e3 : value;
  return value >= 1e6 ? value / 1e6 : value;
}

class CardReader {
 public:
  explicit CardReader(const std::vector<Row>& rows) : rows_(rows) {}

  /// Takes in the rows whose measure `is_wanted`.
  template <class IsWanted>
  void read(Readings& readings, IsWanted is_wanted) const {
    for (const Row& row : rows_) {
      const Metric& metric = kTable[row.told.metric];
      if (metric.measure != Measure::other && is_wanted(metric.measure) &&
          !may_be_unsupported(metric, *row.told.series))
        readings.add(metric, row.told, in_unit(row.told.metric, row.told.series->value));
    }
    for (const Row& row : rows_) {
      const Metric& metric = kTable[row.told.metric];
      if (!may_be_unsupported(metric, *row.told.series) || !is_wanted(metric.measure) ||
          readings.has(metric.measure) || row.told.aspect != Aspect::now)
        continue;
      readings.doubt(std::string(metric.name) + " is 0: the exporter writes that for unknown");
    }
  }

  void read_busy(Readings& readings) const {
    double sum = 0;
    std::size_t count = 0;
    const Row* first = nullptr;
    for (const Row& row : rows_) {
      if (row.told.metric != kBusy || row.told.aspect != Aspect::now) continue;
      // One die that tells nothing makes the mean unknown: take the bad value in as it is.
      const double value = row.told.series->value;
      if (std::isnan(value) || value < 0 || value > 100) {
        readings.add(kMeanBusy, row.told);
        return;
      }
      if (first == nullptr) first = &row;
      sum += value;
      ++count;
    }
    if (first != nullptr) readings.add(kMeanBusy, first->told, sum / static_cast<double>(count));
  }

 private:
  const std::vector<Row>& rows_;
};

bool is_memory(Measure measure) {
  return measure == Measure::memory_used || measure == Measure::memory_total;
}

/// Of a partition, only its dies' activity and its memory are its own. The rest is told by
/// partition 0, and is of the card.
void add_partition(std::vector<Sample>& samples, const DeviceRows& device) {
  const CardReader reader(device.rows);
  if (device.sample.partition == "0") {
    Readings card;
    reader.read(card, [](Measure measure) { return !is_memory(measure); });
    Sample sample = device.sample;
    sample.partition.clear();
    samples.push_back(finished(std::move(sample), card, UtilizationKind::gfx_activity));
  }
  Readings own;
  reader.read(own, is_memory);
  reader.read_busy(own);
  Sample sample = device.sample;
  sample.owners = owners_in(device.rows);
  samples.push_back(finished(std::move(sample), own, UtilizationKind::gfx_activity));
}

std::vector<Sample> samples(const std::vector<DialectSample>& told, const Origin& origin) {
  std::vector<Sample> result;
  const Uuids uuids(told);
  const auto identify_card = [&uuids](const DialectSample& each, Sample& sample) {
    sample.uuid = uuids.of(*each.series);
    return identify(each, sample);
  };
  for (const DeviceRows& device : device_rows(told, origin, identify_card)) {
    if (!device.sample.partition.empty()) {
      add_partition(result, device);
      continue;
    }
    const CardReader reader(device.rows);
    Readings readings;
    reader.read(readings, [](Measure) { return true; });
    if (!readings.has(Measure::utilization)) reader.read_busy(readings);
    Sample sample = device.sample;
    sample.owners = owners_in(device.rows);
    result.push_back(finished(std::move(sample), readings, UtilizationKind::gfx_activity));
  }
  return result;
}

// The GPU operator's pods have a name that others write, too.
constexpr auto kLabels =
    std::to_array<PodLabel>({{kApp, "*-amdgpu-metrics-exporter"},
                             {kApp, "amdgpu-metrics-exporter"},
                             {kAppName, "metrics-exporter", PodLabel::Weight::hint}});
constexpr auto kImages = std::to_array<std::string_view>({"device-metrics-exporter"});
constexpr auto kContainers =
    std::to_array<std::string_view>({"metrics-exporter-container", "metrics-exporter"});
constexpr auto kWindowed = std::to_array<Windowed>({
    {".*gpu_gfx_activity", Windowed::Scale::percent},
    {"amd_gpu_use_percent", Windowed::Scale::percent},
    {".*gpu_used_vram", Windowed::Scale::memory},
});
constexpr auto kDated = std::to_array<std::string_view>({
    "gpu_gfx_activity",
    "amd_gpu_gfx_activity",
    "amd_gpu_use_percent",
});

}  // namespace

extern const Dialect kDialect{.name = "device-metrics-exporter",
                              .metrics = kNames,
                              .match = NameMatch::any_prefix,
                              .windowed = kWindowed,
                              .dated = kDated,
                              .samples = samples,
                              .pods = {
                                  .kind = "AMD device-metrics-exporter",
                                  .usual_port = 5000,
                                  .labels = kLabels,
                                  .images = kImages,
                                  .containers = kContainers,
                              }};

}  // namespace gpu::telemetry::amd
