#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "telemetry/dialects/dcgm_own_use.hpp"
#include "telemetry/dialects/device_rows.hpp"
#include "telemetry/dialects/dialect.hpp"

namespace gpu::telemetry::dcgm {
namespace {

/// Old name, name since DCGM 4.6, name of exporters 1.x; compared without letter case. Field 203
/// stays a percentage under its new name, which says RATIO. DCGM_FI_DEV_MEM_COPY_UTIL is not here:
/// it is bandwidth in use, and many take it for memory in use.
constexpr std::array<Metric, 40> kTable = {{
    {"DCGM_FI_DEV_GPU_UTIL", Measure::utilization, Unit::percent},
    {"DCGM_FI_DEV_GPU_UTIL_RATIO", Measure::utilization, Unit::percent},
    {"dcgm_gpu_utilization", Measure::utilization, Unit::percent},
    {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", Measure::engine_active, Unit::ratio},
    {"DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", Measure::engine_active, Unit::ratio},
    {"DCGM_FI_PROF_SM_ACTIVE", Measure::sm_active, Unit::ratio},
    {"DCGM_FI_PROF_SM_UTIL_RATIO", Measure::sm_active, Unit::ratio},
    {"DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", Measure::tensor_active, Unit::ratio},
    {"DCGM_FI_PROF_TENSOR_UTIL_RATIO", Measure::tensor_active, Unit::ratio},
    {"DCGM_FI_PROF_DRAM_ACTIVE", Measure::dram_active, Unit::ratio},
    {"DCGM_FI_PROF_DRAM_UTIL_RATIO", Measure::dram_active, Unit::ratio},
    {"DCGM_FI_DEV_FB_USED", Measure::memory_used, Unit::mebibytes},
    {"dcgm_fb_used", Measure::memory_used, Unit::mebibytes},
    {"DCGM_FI_DEV_FB_FREE", Measure::memory_free, Unit::mebibytes},
    {"dcgm_fb_free", Measure::memory_free, Unit::mebibytes},
    {"DCGM_FI_DEV_FB_RESERVED", Measure::memory_reserved, Unit::mebibytes},
    {"DCGM_FI_DEV_FB_TOTAL", Measure::memory_total, Unit::mebibytes},
    {"DCGM_FI_DEV_FB_USED_PERCENT", Measure::memory_ratio, Unit::ratio},
    {"DCGM_FI_DEV_FB_USED_RATIO", Measure::memory_ratio, Unit::ratio},
    {"DCGM_FI_DEV_GPU_TEMP", Measure::temperature, Unit::celsius},
    {"DCGM_FI_DEV_GPU_TEMP_CELSIUS", Measure::temperature, Unit::celsius},
    {"dcgm_gpu_temp", Measure::temperature, Unit::celsius},
    {"DCGM_FI_DEV_POWER_USAGE", Measure::power, Unit::watts},
    {"DCGM_FI_DEV_BOARD_POWER_WATTS", Measure::power, Unit::watts},
    {"dcgm_power_usage", Measure::power, Unit::watts},
    {"DCGM_FI_DEV_POWER_USAGE_INSTANT", Measure::power, Unit::watts},
    {"DCGM_FI_DEV_BOARD_POWER_RAW_WATTS", Measure::power, Unit::watts},
    {"DCGM_FI_DEV_ENFORCED_POWER_LIMIT", Measure::power_limit, Unit::watts},
    {"DCGM_FI_DEV_BOARD_POWER_LIMIT_ENFORCED_WATTS", Measure::power_limit, Unit::watts},
    {"DCGM_FI_DEV_POWER_MGMT_LIMIT", Measure::power_limit, Unit::watts},
    {"DCGM_FI_DEV_BOARD_POWER_LIMIT_REQUESTED_WATTS", Measure::power_limit, Unit::watts},
    {"DCGM_FI_DEV_XID_ERRORS", Measure::last_xid, Unit::count},
    {"DCGM_FI_DEV_XID_ERROR", Measure::last_xid, Unit::count},
    {"dcgm_xid_errors", Measure::last_xid, Unit::count},
    {"DCGM_FI_DEV_ROW_REMAP_FAILURE", Measure::remap_failure, Unit::count},
    {"DCGM_FI_DEV_ROW_REMAP_PENDING", Measure::remap_pending, Unit::count},
    {"DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS", Measure::uncorrectable_rows, Unit::count},
    {"DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", Measure::uncorrectable_errors, Unit::count},
    {"DCGM_FI_DEV_CLOCKS_EVENT_REASONS", Measure::clock_reasons, Unit::count},
    {"DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", Measure::clock_reasons, Unit::count},
}};
constexpr auto kNames = names_of(kTable);

constexpr std::array<std::string_view, 2> kIndex = {"gpu", "GPU"};
constexpr std::array<std::string_view, 2> kGpuInstance = {"GPU_I_ID", "gpu_i_id"};
constexpr std::array<std::string_view, 2> kProfile = {"GPU_I_PROFILE", "gpu_i_profile"};

/// Links, switches and processors have rows of their own under names of their own; one that shares
/// a name with a GPU's must not be taken for it.
bool is_of_gpu(const Series& series) {
  if (series.labels.contains("nvlink") || series.labels.contains("nvswitch")) return false;
  return series.labels.contains("gpu") || !series.labels.contains("cpu");
}

/// Of "nvidia0".
std::optional<std::int64_t> device_number(const Series& series) {
  std::string_view device = value_of(series.labels, "device");
  if (!device.starts_with("nvidia")) return std::nullopt;
  device.remove_prefix(std::string_view("nvidia").size());
  const std::optional<std::int64_t> number = whole_number(device);
  return number && *number >= 0 ? number : std::nullopt;
}

bool identify(const DialectSample& told, Sample& sample) {
  const Series& series = *told.series;
  if (!is_of_gpu(series)) return false;
  sample.vendor = Vendor::nvidia;
  sample.uuid = label_of(series, label::kUuid);
  sample.index = number_label(series, kIndex);
  sample.minor = device_number(series);
  if (!sample.index) sample.index = sample.minor;
  // One of the two is of another numbering.
  if (sample.minor != sample.index) sample.minor.reset();
  sample.pci_bus_id = label_of(series, label::kPci);
  sample.product = label_of(series, label::kProduct);
  sample.mig_instance = label_of(series, kGpuInstance);
  if (!sample.mig_instance.empty()) sample.profile = label_of(series, kProfile);
  const std::string_view device = value_of(series.labels, "dra_device_name");
  if (!device.empty())
    sample.dra = {std::string(value_of(series.labels, "dra_driver_name")),
                  std::string(value_of(series.labels, "dra_pool_name")), std::string(device)};
  return !sample.uuid.empty() || sample.index || !sample.pci_bus_id.empty();
}

/// What rows of a MIG instance repeat from its card, each with the same value.
bool is_of_card(Measure measure) {
  switch (measure) {
    case Measure::temperature:
    case Measure::power:
    case Measure::power_limit:
    case Measure::last_xid:
    case Measure::remap_failure:
    case Measure::remap_pending:
    case Measure::uncorrectable_rows:
    case Measure::uncorrectable_errors:
    case Measure::clock_reasons:
      return true;
    default:
      return false;
  }
}

/// A card, and the instances that it is cut into.
struct Card {
  Sample sample;
  std::vector<Row> rows;
  Readings readings;
  std::vector<DeviceRows> instances;
};

/// Cards in the order in which they first appear, also those that only their instances tell of.
std::vector<Card> cards_in(std::vector<DeviceRows> devices) {
  std::vector<Card> cards;
  std::map<std::string, std::size_t> places;
  for (DeviceRows& device : devices) {
    const auto [place, is_new] = places.emplace(card_key(device.sample), cards.size());
    if (is_new) {
      Card& card = cards.emplace_back();
      card.sample = device.sample;
      card.sample.mig_instance.clear();
      card.sample.profile.clear();
      if (!device.sample.mig_instance.empty()) card.sample.dra.reset();
    }
    Card& card = cards[place->second];
    if (!device.sample.mig_instance.empty()) {
      card.instances.push_back(std::move(device));
      continue;
    }
    card.sample.dra = device.sample.dra;
    card.sample.at = std::max(card.sample.at, device.sample.at);
    card.rows = std::move(device.rows);
  }
  return cards;
}

/// Above this, two counters of use that disagree did so for more than a moment.
constexpr double kBusy = 0.1;

/// dcgm-exporter issue 662: where profiling fails, its fields are 0 under any load. Of a window,
/// too: it was 0 in all of it.
/// Whether there was something to forget.
bool forget_dead_profiling(Readings& readings) {
  const Measure witness =
      readings.has(Measure::engine_active) ? Measure::engine_active : Measure::sm_active;
  const auto is_dead = [&](Aspect aspect) {
    return readings.value(Measure::utilization, aspect).value_or(0) >= kBusy &&
           readings.value(witness, aspect) == 0.0;
  };
  if (!is_dead(Aspect::now) && !is_dead(Aspect::highest)) return false;
  for (const Measure measure :
       {Measure::engine_active, Measure::sm_active, Measure::tensor_active, Measure::dram_active})
    readings.forget(measure);
  readings.doubt("profiling metrics are 0 on a busy device: ignored");
  return true;
}

/// issues 430, 105, 216, 50: GPU_UTIL of a MIG card or instance is missing, or a 0 that means
/// nothing. The card says so once for all its instances.
void forget_utilization_of_mig(Readings& readings, Readings& card) {
  if (readings.has(Measure::utilization))
    card.doubt("GPU_UTIL says nothing about MIG instances: ignored");
  readings.forget(Measure::utilization);
}

/// A percentage has no fractions below 1: this is a ratio after all, or something else.
bool is_odd_ratio(const DialectSample& told) {
  constexpr std::size_t kUtilRatio = 1;
  static_assert(kTable[kUtilRatio].name == "DCGM_FI_DEV_GPU_UTIL_RATIO");
  return told.metric == kUtilRatio && told.aspect == Aspect::now && told.series->value > 0 &&
         told.series->value < 1;
}

void add_rows(Readings& readings, const std::vector<Row>& rows, const OwnUse& own) {
  for (const Row& row : rows) {
    if (own.is_own(row)) continue;
    if (is_odd_ratio(row.told))
      readings.doubt("DCGM_FI_DEV_GPU_UTIL_RATIO is no whole percentage: not credible");
    else
      readings.add(kTable[row.told.metric], row.told);
  }
}

Sample instance_sample(DeviceRows& instance, Readings& card) {
  const auto of_card = std::stable_partition(
      instance.rows.begin(), instance.rows.end(),
      [](const Row& row) { return !is_of_card(kTable[row.told.metric].measure); });
  for (auto row = of_card; row != instance.rows.end(); ++row)
    card.add(kTable[row->told.metric], row->told);
  instance.sample.owners = owners_in(instance.rows);
  // Owners of rows that are the card's are owners of the instance too.
  instance.rows.erase(of_card, instance.rows.end());
  const OwnUse own(instance.rows, kTable);
  Readings readings;
  add_rows(readings, instance.rows, own);
  forget_utilization_of_mig(readings, card);
  // Its own total is what its parts add up to: FB_TOTAL may be the card's.
  readings.forget(Measure::memory_total);
  own.give_to(instance.sample.owners, readings);
  for (SampleOwner& owner : instance.sample.owners) owner.own.utilization.reset();
  return finished(std::move(instance.sample), readings, UtilizationKind::engine_active);
}

std::vector<Sample> samples_of_card(Card& card) {
  std::vector<Sample> instances;
  instances.reserve(card.instances.size());
  for (DeviceRows& instance : card.instances)
    instances.push_back(instance_sample(instance, card.readings));
  const OwnUse own(card.rows, kTable);
  add_rows(card.readings, card.rows, own);
  card.sample.owners = owners_in(card.rows);
  if (!instances.empty()) forget_utilization_of_mig(card.readings, card.readings);
  card.sample.has_dead_profiling = forget_dead_profiling(card.readings);
  own.give_to(card.sample.owners, card.readings);
  std::vector<Sample> samples;
  samples.push_back(finished(std::move(card.sample), card.readings, UtilizationKind::kernel_time));
  std::move(instances.begin(), instances.end(), std::back_inserter(samples));
  return samples;
}

std::vector<Sample> samples(const std::vector<DialectSample>& told, const Origin& origin) {
  std::vector<Sample> samples;
  for (Card& card : cards_in(device_rows(told, origin, identify))) {
    std::vector<Sample> some = samples_of_card(card);
    std::move(some.begin(), some.end(), std::back_inserter(samples));
  }
  return samples;
}

// GPU Operator and OpenShift; the chart and the plain manifest; GKE; CloudWatch.
constexpr auto kLabels = std::to_array<PodLabel>({{kApp, "nvidia-dcgm-exporter"},
                                                  {kApp, "dcgm-exporter"},
                                                  {kAppName, "dcgm-exporter"},
                                                  {kAppName, "nvidia-dcgm-exporter"},
                                                  {kAppName, "gke-managed-dcgm-exporter"},
                                                  {kComponent, "dcgm-exporter"},
                                                  {kK8sApp, "dcgm-exporter"}});
constexpr auto kImages = std::to_array<std::string_view>({"dcgm-exporter"});
constexpr auto kContainers =
    std::to_array<std::string_view>({"nvidia-dcgm-exporter", "dcgm-exporter"});
constexpr auto kWindowed = std::to_array<Windowed>({
    {"(?i:DCGM_FI_DEV_GPU_UTIL)", Windowed::Scale::percent},
    {"DCGM_FI_DEV_GPU_UTIL_RATIO", Windowed::Scale::percent},  // the same field: still per cent
    {"dcgm_gpu_utilization", Windowed::Scale::percent},
    {"(?i:DCGM_FI_PROF_GR_ENGINE_ACTIVE)", Windowed::Scale::ratio},
    {"DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO", Windowed::Scale::ratio},
    {"(?i:DCGM_FI_DEV_FB_USED)", Windowed::Scale::memory},
    {"dcgm_fb_used", Windowed::Scale::memory},
});
constexpr auto kDated = std::to_array<std::string_view>({
    "DCGM_FI_DEV_GPU_UTIL",
    "DCGM_FI_DEV_GPU_UTIL_RATIO",
    "dcgm_gpu_utilization",
    "dcgm_fi_dev_gpu_util",
    "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
    "DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO",
    "dcgm_fi_prof_gr_engine_active",
    "DCGM_FI_DEV_FB_USED",
    "dcgm_fi_dev_fb_used",
    "dcgm_fb_used",
    "DCGM_FI_DEV_POWER_USAGE",
    "DCGM_FI_DEV_BOARD_POWER_WATTS",
});

}  // namespace

extern const Dialect kDialect{.name = "dcgm-exporter",
                              .metrics = kNames,
                              .match = NameMatch::any_case,
                              .windowed = kWindowed,
                              .dated = kDated,
                              .samples = samples,
                              .interval = std::chrono::seconds(30),
                              .pods = {
                                  .kind = "dcgm-exporter",
                                  .usual_port = 9400,
                                  .labels = kLabels,
                                  .images = kImages,
                                  .containers = kContainers,
                              }};

}  // namespace gpu::telemetry::dcgm
