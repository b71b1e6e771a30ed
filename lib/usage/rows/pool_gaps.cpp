#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "usage/devices/device_merge.hpp"
#include "usage/devices/listed.hpp"
#include "usage/rows/pool_use.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::usage {
namespace {

constexpr std::string_view kOneOfACard =
    "dcgm-exporter names one pod of each GPU unless KUBERNETES_VIRTUAL_GPUS is true";

/// "8 GPUs", "14 MIG slices": what metrics have rows of.
std::string devices_text(const Pool& pool, std::int64_t count) {
  const auto word = [&]() -> std::string_view {
    switch (pool.kind.kind) {
      case DeviceKind::card:
        return pool.kind.vendor == Vendor::google ? "TPU" : "GPU";
      case DeviceKind::mig_slice:
        return "MIG slice";
      case DeviceKind::partition:
        return "partition";
      case DeviceKind::vgpu:
        return "vGPU";
      case DeviceKind::alias:
        return "core";
    }
    return "GPU";
  };
  return fmt::format("{} {}{}", count, word(), count == 1 ? "" : "s");
}

/// "ml/a, ml/b and 2 more".
std::string holders_text(const PoolDevices& devices) {
  std::vector<std::string> names;
  for (const LooseUnits& loose : devices.loose) {
    const Holding& holding = *loose.holding;
    names.push_back(holding.ns + "/" +
                    (holding.pods.empty() ? holding.claim : holding.pods.front()->name));
  }
  return listed(names);
}

/// Whether only whole cards have metrics, while the pool has parts of them.
bool has_cards_alone(const Pool& pool, const std::vector<DeviceUse>& on_node) {
  return pool.kind.kind == DeviceKind::mig_slice &&
         std::any_of(on_node.begin(), on_node.end(), [](const DeviceUse& device) {
           return device.sample.vendor == Vendor::nvidia && !device.is_stale;
         });
}

std::set<const Pod*> pods_on(const PoolDevice& device) {
  std::set<const Pod*> pods;
  for (const DeviceHold& hold : device.holds)
    pods.insert(hold.holding->pods.begin(), hold.holding->pods.end());
  return pods;
}

}  // namespace

void PoolGaps::look_at(const Pool& pool, const PoolDevices& devices,
                       const std::vector<DeviceUse>& on_node) {
  if (!devices.expected) return;
  const std::int64_t count = devices.told;
  if (count == 0 && !has_cards_alone(pool, on_node)) return;
  if (count < *devices.expected)
    partial_.push_back(
        fmt::format("{}: {} of {}", pool.node, count, devices_text(pool, *devices.expected)));
  if (count > *devices.expected)
    too_many_.push_back(fmt::format("{}: metrics of {}, and it has {}", pool.node,
                                    devices_text(pool, count), *devices.expected));
  look_at_slices(pool, devices);
  if (is_undecided(devices) && !devices.loose.empty())
    unnamed_.push_back(fmt::format("which of the {} on {} {} hold{}",
                                   devices_text(pool, *devices.expected), pool.node,
                                   holders_text(devices), devices.loose.size() == 1 ? "s" : ""));
  else
    look_at_sharing(pool, devices);
}

void PoolGaps::look_at_slices(const Pool& pool, const PoolDevices& devices) {
  if (pool.kind.kind != DeviceKind::mig_slice) return;
  for (const PoolDevice& device : devices.devices)
    if (device.live != nullptr && !device.live->is_stale &&
        !device.live->sample.measures.utilization)
      without_use_.push_back(device_text(pool.node, device.live->sample));
}

/// dcgm-exporter names one pod of a card, the last, unless it is told that cards are shared.
void PoolGaps::look_at_sharing(const Pool& pool, const PoolDevices& devices) {
  if (pool.sharing.strategy != SharingStrategy::time_slicing &&
      pool.sharing.strategy != SharingStrategy::mps)
    return;
  std::set<const Pod*> named;
  std::set<const Pod*> sharing;
  for (const PoolDevice& device : devices.devices) {
    const std::set<const Pod*> holders = pods_on(device);
    if (device.live == nullptr || holders.size() < 2) continue;
    std::set<const Pod*> users;
    for (const DeviceUser& user : device.live->users)
      if (holders.contains(user.pod)) users.insert(user.pod);
    // Metrics that name nobody at all are of another kind of exporter.
    if (users.empty() || users.size() == holders.size()) continue;
    named.insert(users.begin(), users.end());
    sharing.insert(holders.begin(), holders.end());
  }
  if (!sharing.empty())
    sharing_.push_back(fmt::format("{} of {} pods that share the GPU{} on {}", named.size(),
                                   sharing.size(), devices.devices.size() == 1 ? "" : "s",
                                   pool.node));
}

std::vector<Gap> PoolGaps::gaps() const {
  std::vector<Gap> gaps;
  if (!partial_.empty())
    gaps.push_back(
        {.what = counted(partial_.size(), "node has", "nodes have") + " metrics of some GPUs only",
         .why = listed(partial_),
         .help = ""});
  if (!too_many_.empty())
    gaps.push_back({.what = counted(too_many_.size(), "node has", "nodes have") +
                            " metrics of more GPUs than it offers",
                    .why = listed(too_many_),
                    .help = ""});
  if (!without_use_.empty())
    gaps.push_back({.what = counted(without_use_.size(), "MIG slice has", "MIG slices have") +
                            " metrics without a utilization",
                    .why = listed(without_use_) +
                           ": for MIG slices only DCGM_FI_PROF_GR_ENGINE_ACTIVE reports it",
                    .help = ""});
  if (sharing_.size() == 1)
    gaps.push_back(
        {.what = "metrics name " + sharing_.front(), .why = std::string(kOneOfACard), .help = ""});
  else if (!sharing_.empty())
    gaps.push_back(
        {.what = fmt::format("metrics name some of the pods that share GPUs, on {} nodes",
                             sharing_.size()),
         .why = listed(sharing_) + ": " + std::string(kOneOfACard),
         .help = ""});
  if (unnamed_.size() == 1)
    gaps.push_back({.what = unnamed_.front() + " is not known",
                    .why = "metrics name no pod there, or not every one",
                    .help = ""});
  else if (!unnamed_.empty())
    gaps.push_back(
        {.what = fmt::format("which GPUs pods hold is not known on {} nodes", unnamed_.size()),
         .why = "metrics name no pod there, or not every one: " + listed(unnamed_),
         .help = ""});
  return gaps;
}

}  // namespace gpu::usage
