#include "telemetry/dialects/dcgm_own_use.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace gpu::telemetry {
namespace {

constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;

/// A pod, and what is told of it alone.
struct PodReadings {
  SampleOwner* owner = nullptr;
  Readings readings;
};

bool is_told_by_pod(Measure measure) {
  return measure == Measure::utilization || measure == Measure::memory_used;
}

std::vector<double> values_of(const std::vector<PodReadings>& pods, Measure measure) {
  std::vector<double> values;
  for (const PodReadings& pod : pods)
    if (const std::optional<double> value = pod.readings.value(measure)) values.push_back(*value);
  return values;
}

/// What the device does, by whichever counter tells of more: the pods' is a sample of a moment.
double use_of(const Readings& device, Measure measure) {
  const double told = device.value(measure).value_or(0);
  if (measure != Measure::utilization) return told;
  return std::max(told, device.value(Measure::engine_active).value_or(0));
}

/// "All pods 0, the device more" means that no process was mapped, not that nothing runs.
void forget_unmapped(std::vector<PodReadings>& pods, Readings& device, Measure measure) {
  const std::vector<double> values = values_of(pods, measure);
  const bool is_all_zero =
      !values.empty() && std::all_of(values.begin(), values.end(), [](double v) { return v == 0; });
  if (!is_all_zero || use_of(device, measure) == 0) return;
  for (PodReadings& pod : pods) pod.readings.forget(measure);
  device.doubt(
      "use of each pod is reported as 0 beside a busy device: the exporter maps no process");
}

/// Memory that no pod is told to hold may be that of the pods that are told to hold none.
void forget_doubtful_zeros(std::vector<PodReadings>& pods, Readings& device) {
  const std::optional<double> whole = device.value(Measure::memory_used);
  if (!whole) return;
  double sum = 0;
  for (const double value : values_of(pods, Measure::memory_used)) sum += value;
  if (*whole - sum < std::max(kGibibyte, *whole / 10)) return;
  for (PodReadings& pod : pods) {
    if (pod.readings.value(Measure::memory_used) != 0.0) continue;
    pod.readings.forget(Measure::memory_used);
    if (pod.readings.value(Measure::utilization) == 0.0) pod.readings.forget(Measure::utilization);
    device.doubt("use of some pods is reported as 0 while memory is in use that no pod holds");
  }
}

/// A part is not more than the whole; the two are measured moments apart.
void forget_more_than_all(std::vector<PodReadings>& pods, Readings& device) {
  for (PodReadings& pod : pods) {
    for (const Measure measure : {Measure::utilization, Measure::memory_used}) {
      const std::optional<double> own = pod.readings.value(measure);
      const std::optional<double> whole = device.value(measure);
      if (!own || !whole) continue;
      const double slack = measure == Measure::utilization ? 0.5 : kGibibyte / 4;
      if (*own <= *whole + slack) continue;
      pod.readings.forget(measure);
      device.doubt("a pod is reported to use more than there is in use on the whole device");
    }
  }
}

}  // namespace

OwnUse::OwnUse(const std::vector<Row>& rows, std::span<const Metric> table)
    : rows_(rows), table_(table) {
  for (const Row& row : rows)
    if (row.owner.pod.empty() && row.told.aspect == Aspect::now &&
        is_told_by_pod(table[row.told.metric].measure))
      device_metrics_.insert(row.told.metric);
}

bool OwnUse::is_own(const Row& row) const {
  // The exporter writes an empty UID where it may not read pods.
  const bool is_of_pod = !row.owner.pod_uid.empty() || !row.owner.share.empty();
  return row.told.aspect == Aspect::now && is_of_pod && device_metrics_.contains(row.told.metric);
}

void OwnUse::give_to(std::vector<SampleOwner>& owners, Readings& device) const {
  std::vector<PodReadings> pods;
  std::map<std::string, std::size_t> places;
  for (SampleOwner& owner : owners) {
    places.emplace(owner_key(owner), pods.size());
    pods.push_back({&owner, {}});
  }
  for (const Row& row : rows_) {
    if (!is_own(row)) continue;
    const auto place = places.find(owner_key(row.owner));
    if (place != places.end()) pods[place->second].readings.add(table_[row.told.metric], row.told);
  }
  for (const Measure measure : {Measure::utilization, Measure::memory_used})
    forget_unmapped(pods, device, measure);
  forget_doubtful_zeros(pods, device);
  forget_more_than_all(pods, device);
  for (PodReadings& pod : pods) {
    pod.owner->own = pod.readings.measures(UtilizationKind::kernel_time);
    for (const std::string& doubt : pod.readings.doubts()) device.doubt(doubt);
  }
}

}  // namespace gpu::telemetry
