#include <algorithm>

#include <fmt/format.h>

#include "usage/listed.hpp"
#include "usage/pool_use.hpp"
#include "usage/unit.hpp"

namespace gpu::usage {
namespace {

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

}  // namespace

void PoolGaps::look_at(const Pool& pool, const PoolDevices& devices, std::size_t live_devices) {
  if (!devices.expected || live_devices == 0) return;
  const auto count = static_cast<std::int64_t>(live_devices);
  if (count < *devices.expected)
    partial_.push_back(
        fmt::format("{}: {} of {}", pool.node, count, devices_text(pool, *devices.expected)));
  if (count > *devices.expected)
    too_many_.push_back(fmt::format("{}: metrics of {}, and it has {}", pool.node,
                                    devices_text(pool, count), *devices.expected));
  if (is_undecided(devices) && !devices.loose.empty())
    unnamed_.push_back(fmt::format("which of the {} on {} {} hold{}",
                                   devices_text(pool, *devices.expected), pool.node,
                                   holders_text(devices), devices.loose.size() == 1 ? "s" : ""));
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
