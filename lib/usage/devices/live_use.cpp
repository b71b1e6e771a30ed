#include "usage/devices/live_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "usage/devices/device_merge.hpp"
#include "usage/devices/device_users.hpp"
#include "usage/devices/duplicate_uuid.hpp"
#include "usage/devices/listed.hpp"

namespace gpu::usage {
namespace {

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
                          " not used",
                  .why = listed(doubts),
                  .help = ""});
}

void add_suspect(std::vector<Gap>& gaps, const std::vector<std::string>& suspect) {
  if (suspect.empty()) return;
  gaps.push_back({.what = counted(suspect.size(), "value of metrics is", "values of metrics are") +
                          " shown as reported, and suspect",
                  .why = listed(suspect),
                  .help = ""});
}

void add_ahead(std::vector<Gap>& gaps, const std::vector<std::string>& ahead) {
  if (ahead.empty()) return;
  gaps.push_back({.what = counted(ahead.size(), "GPU has metrics", "GPUs have metrics") +
                          " of a time in the future",
                  .why = listed(ahead),
                  .help = "a clock is wrong: this machine's, the node's, or that of Prometheus"});
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
  std::vector<std::string> ahead;
  SamplesByNode all = by_node(snapshot);
  gaps_ = keep_on_one_node(all, snapshot, now);
  for (auto& [node, samples] : all) {
    std::vector<DeviceUse>& devices = devices_[node];
    devices = merged_devices(samples, now);
    for (DeviceUse& device : devices) {
      device.node = node;
      users.find(device);
      for (const std::string& doubt : device.sample.doubts)
        doubts.push_back(device_text(node, device.sample) + ": " + doubt);
      for (const std::string& text : device.sample.suspect)
        suspect.push_back(device_text(node, device.sample) + ": " + text);
      if (device.is_stale && is_ahead(device.sample, now))
        ahead.push_back(device_text(node, device.sample) + ": dated " +
                        format_time(*device.sample.at));
      else if (device.is_stale)
        stale.push_back(stale_text(device));
    }
  }
  for (const Sample& sample : snapshot.samples) {
    if (sample.pod_only.empty()) continue;
    for (const std::string& doubt : sample.doubts) doubts.push_back(sample.pod_only + ": " + doubt);
    if (!is_stale(sample, now))
      pods_.emplace(sample.pod_only, sample);
    else
      doubts.push_back(sample.pod_only + ": it is of " + format_time(*sample.at));
  }
  add_doubts(gaps_, doubts);
  add_suspect(gaps_, suspect);
  add_stale(gaps_, stale);
  add_ahead(gaps_, ahead);
  users.add_gaps(gaps_);
}

const std::vector<DeviceUse>& LiveUse::devices_on(std::string_view node) const {
  static const std::vector<DeviceUse> kNone;
  const auto found = devices_.find(node);
  return found == devices_.end() ? kNone : found->second;
}

std::vector<std::string> LiveUse::forget_memory(std::string_view node,
                                                const std::set<const DeviceUse*>& those) {
  std::vector<std::string> texts;
  const auto found = devices_.find(node);
  if (found == devices_.end()) return texts;
  for (DeviceUse& device : found->second) {
    if (!those.contains(&device)) continue;
    Measures& told = device.sample.measures;
    const auto most = std::max(told.memory_used_bytes, told.highest_memory_bytes);
    texts.push_back(fmt::format("{}: {:.1f} GiB", device_text(found->first, device.sample),
                                static_cast<double>(most.value_or(0)) / (1024.0 * 1024 * 1024)));
    told.memory_used_bytes.reset();
    told.highest_memory_bytes.reset();
    for (DeviceUser& user : device.users) user.own.memory_used_bytes.reset();
  }
  return texts;
}

const Sample* LiveUse::of_pod(std::string_view ns, std::string_view name) const {
  const auto found = pods_.find(std::string(ns) + "/" + std::string(name));
  return found == pods_.end() ? nullptr : &found->second;
}

}  // namespace gpu::usage
