#include "telemetry/dialects/device_rows.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace gpu::telemetry {
namespace {

/// A device, as far as rows of one answer can tell it from others.
using DeviceKey = std::tuple<std::string, std::string, std::string, std::string>;

std::string card_of(const Sample& sample) {
  if (!sample.uuid.empty()) return "uuid " + uuid_key(sample.uuid);
  if (sample.index) return "index " + std::to_string(*sample.index);
  return "pci " + sample.pci_bus_id;
}

DeviceKey key_of(const Sample& sample) {
  return {place_of(sample), card_of(sample), sample.mig_instance, sample.partition};
}

void fill(std::string& known, const std::string& told) {
  if (known.empty()) known = told;
}

/// Rows of one device may each tell a part of what it is.
void add_to(Sample& known, const Sample& told) {
  fill_identity(known, told);
  known.at = std::max(known.at, told.at);
}

bool has_current(const DeviceRows& device) {
  return std::any_of(device.rows.begin(), device.rows.end(),
                     [](const Row& row) { return row.told.aspect == Aspect::now; });
}

bool may_be_same(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() || a == b;
}

/// Whether `window`, which only tells of a window, may stand on the node of `device`.
bool may_be_beside(const Sample& window, const Sample& device) {
  return may_be_same(window.node, device.node) && may_be_same(window.instance, device.instance) &&
         may_be_same(window.host, device.host);
}

/// A query over a window keeps fewer labels than the series have, so its answer may lack the node.
void join_windows(std::vector<DeviceRows>& devices) {
  std::map<DeviceKey, std::vector<DeviceRows*>> by_card;  // wherever it is
  const auto anywhere = [](const Sample& sample) {
    return DeviceKey{"", card_of(sample), sample.mig_instance, sample.partition};
  };
  for (DeviceRows& device : devices)
    if (has_current(device)) by_card[anywhere(device.sample)].push_back(&device);
  for (DeviceRows& window : devices) {
    if (has_current(window)) continue;
    std::vector<DeviceRows*> matches = by_card[anywhere(window.sample)];
    std::erase_if(matches, [&](const DeviceRows* device) {
      return !may_be_beside(window.sample, device->sample);
    });
    if (matches.size() != 1) continue;
    std::vector<Row>& rows = matches.front()->rows;
    rows.insert(rows.end(), window.rows.begin(), window.rows.end());
    window.rows.clear();
  }
  std::erase_if(devices, [](const DeviceRows& device) { return device.rows.empty(); });
}

/// Owners and times of the rows of one metric.
struct Generation {
  std::optional<Time> newest;
  std::set<std::string, std::less<>> now;   ///< owners in the newest rows
  std::set<std::string, std::less<>> past;  ///< in older ones
};

void keep_current(std::vector<Row>& rows) {
  std::map<std::pair<std::size_t, Aspect>, Generation> generations;
  const auto generation_of = [&](const Row& row) -> Generation& {
    return generations[{row.told.metric, row.told.aspect}];
  };
  for (const Row& row : rows) {
    Generation& generation = generation_of(row);
    generation.newest = std::max(generation.newest, row.told.at);
  }
  for (const Row& row : rows) {
    Generation& generation = generation_of(row);
    auto& owners = row.told.at == generation.newest ? generation.now : generation.past;
    owners.insert(owner_key(row.owner));
  }
  std::set<std::string, std::less<>> gone;
  for (const auto& [metric, generation] : generations)
    for (const std::string& owner : generation.past)
      if (!owner.empty() && !generation.now.contains(owner)) gone.insert(owner);
  std::erase_if(rows, [&](const Row& row) {
    return row.told.at != generation_of(row).newest || gone.contains(owner_key(row.owner));
  });
}

}  // namespace

std::vector<DeviceRows> device_rows(const std::vector<DialectSample>& told, const Origin& origin,
                                    const Identify& identify) {
  const Owners owners(told, origin);
  std::vector<DeviceRows> devices;
  std::map<DeviceKey, std::size_t> places;
  for (const DialectSample& each : told) {
    Sample sample = placed(each, origin, owners);
    if (!identify(each, sample)) continue;
    const auto [place, is_new] = places.emplace(key_of(sample), devices.size());
    if (is_new)
      devices.push_back({.sample = std::move(sample), .rows = {}});
    else
      add_to(devices[place->second].sample, sample);
    devices[place->second].rows.push_back({each, owners.of(*each.series)});
  }
  join_windows(devices);
  for (DeviceRows& device : devices) keep_current(device.rows);
  return devices;
}

std::string place_of(const Sample& sample) {
  if (sample.source != MetricSource::prometheus) return {};
  for (const std::string* place : {&sample.node, &sample.instance, &sample.exporter, &sample.host})
    if (!place->empty()) return *place;
  return {};
}

Sample placed(const DialectSample& told, const Origin& origin, const Owners& owners) {
  const Series& series = *told.series;
  Sample sample{.source = origin.source};
  sample.exporter = owners.exporter_of(series);
  sample.node = origin.node;
  sample.host = label_of(series, label::kHost);
  sample.at = told.at;
  if (origin.source == MetricSource::prometheus) {
    if (sample.node.empty()) sample.node = label_of(series, label::kNode);
    sample.instance = label_of(series, label::kInstance);
  }
  return sample;
}

std::string card_key(const Sample& sample) { return place_of(sample) + '\n' + card_of(sample); }

std::string owner_key(const SampleOwner& owner) {
  return owner.pod.empty() ? std::string() : owner.ns + "/" + owner.pod;
}

std::vector<SampleOwner> owners_in(const std::vector<Row>& rows) {
  std::vector<SampleOwner> owners;
  std::map<std::string, std::size_t> places;
  for (const Row& row : rows) {
    if (row.owner.pod.empty()) continue;
    const auto [place, is_new] = places.emplace(owner_key(row.owner), owners.size());
    if (is_new) {
      owners.push_back(row.owner);
      continue;
    }
    SampleOwner& known = owners[place->second];
    fill(known.container, row.owner.container);
    fill(known.pod_uid, row.owner.pod_uid);
    fill(known.share, row.owner.share);
  }
  return owners;
}

Sample finished(Sample sample, Readings& readings, UtilizationKind kind,
                Readings::StandIn stand_in) {
  sample.measures = readings.measures(kind, stand_in);
  if (const std::optional<Time> oldest = readings.oldest()) sample.at = oldest;
  sample.doubts.insert(sample.doubts.end(), readings.doubts().begin(), readings.doubts().end());
  sample.suspect.insert(sample.suspect.end(), readings.suspect().begin(), readings.suspect().end());
  return sample;
}

std::vector<Sample> plain_samples(const std::vector<DialectSample>& told, const Origin& origin,
                                  std::span<const Metric> table, UtilizationKind kind,
                                  const Identify& identify, Readings::StandIn stand_in) {
  std::vector<Sample> samples;
  for (DeviceRows& device : device_rows(told, origin, identify)) {
    Readings readings;
    for (const Row& row : device.rows) readings.add(table[row.told.metric], row.told);
    device.sample.owners = owners_in(device.rows);
    samples.push_back(finished(std::move(device.sample), readings, kind, stand_in));
  }
  return samples;
}

}  // namespace gpu::telemetry
