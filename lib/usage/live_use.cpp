#include "usage/live_use.hpp"

#include <set>
#include <utility>

#include "usage/device_merge.hpp"
#include "usage/device_users.hpp"
#include "usage/listed.hpp"

namespace gpu::usage {
namespace {

using SamplesByNode = std::map<std::string, NodeSamples, std::less<>>;

/// Samples of devices by their node. A host label is believed only where a node has that name, and
/// nobody knows where the others are.
SamplesByNode by_node(const Snapshot& snapshot) {
  std::set<std::string_view> nodes;
  for (const Node& node : snapshot.nodes) nodes.insert(node.name);
  SamplesByNode found;
  for (const Sample& sample : snapshot.samples) {
    if (!sample.pod_only.empty()) continue;
    const bool is_node = sample.node.empty() && nodes.contains(sample.host);
    const std::string& node = is_node ? sample.host : sample.node;
    if (!node.empty()) found[node].push_back(&sample);
  }
  return found;
}

void add_doubts(std::vector<Gap>& gaps, const std::vector<std::string>& doubts) {
  if (doubts.empty()) return;
  gaps.push_back({.what = counted(doubts.size(), "value of metrics was", "values of metrics were") +
                          " not believed",
                  .why = listed(doubts),
                  .help = ""});
}

void add_suspect(std::vector<Gap>& gaps, const std::vector<std::string>& suspect) {
  if (suspect.empty()) return;
  gaps.push_back({.what = counted(suspect.size(), "value of metrics is", "values of metrics are") +
                          " shown as told, and suspect",
                  .why = listed(suspect),
                  .help = ""});
}

void add_stale(std::vector<Gap>& gaps, const std::vector<std::string>& stale) {
  if (stale.empty()) return;
  gaps.push_back(
      {.what = counted(stale.size(), "GPU has metrics that are", "GPUs have metrics that are") +
               " too old to show",
       .why = listed(stale),
       .help = ""});
}

std::string stale_text(const DeviceUse& device) {
  const std::string name = device_text(device.node, device.sample);
  if (device.age) return name + ": " + human_duration(*device.age);
  return name + ": of " + format_time(device.sample.at.value_or(Time{})) +
         ", and what time it is now is not known";
}

}  // namespace

LiveUse::LiveUse(const Snapshot& snapshot, const std::optional<Time>& now) {
  if (snapshot.samples.empty()) return;
  DeviceUsers users(snapshot);
  std::vector<std::string> doubts;
  std::vector<std::string> suspect;
  std::vector<std::string> stale;
  for (auto& [node, samples] : by_node(snapshot)) {
    std::vector<DeviceUse>& devices = devices_[node];
    devices = merged_devices(samples, now);
    for (DeviceUse& device : devices) {
      device.node = node;
      users.find(device);
      for (const std::string& doubt : device.sample.doubts)
        doubts.push_back(device_text(node, device.sample) + ": " + doubt);
      for (const std::string& text : device.sample.suspect)
        suspect.push_back(device_text(node, device.sample) + ": " + text);
      if (device.is_stale) stale.push_back(stale_text(device));
    }
  }
  for (const Sample& sample : snapshot.samples) {
    if (sample.pod_only.empty()) continue;
    for (const std::string& doubt : sample.doubts) doubts.push_back(sample.pod_only + ": " + doubt);
    if (!is_stale(sample, now)) pods_.emplace(sample.pod_only, sample);
  }
  add_doubts(gaps_, doubts);
  add_suspect(gaps_, suspect);
  add_stale(gaps_, stale);
  users.add_gaps(gaps_);
}

const std::vector<DeviceUse>& LiveUse::devices_on(std::string_view node) const {
  static const std::vector<DeviceUse> kNone;
  const auto found = devices_.find(node);
  return found == devices_.end() ? kNone : found->second;
}

const Sample* LiveUse::of_pod(std::string_view ns, std::string_view name) const {
  const auto found = pods_.find(std::string(ns) + "/" + std::string(name));
  return found == pods_.end() ? nullptr : &found->second;
}

}  // namespace gpu::usage
