#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/phrase.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "usage/devices/device_merge.hpp"

namespace gpu::checkup {
namespace {

using usage::DeviceUse;
using usage::PoolDevice;
using usage::PoolDevices;

/// A way in which metrics mislead, the setting that mends it, and where it was seen. Source of all:
/// issues of dcgm-exporter by their numbers.
struct Trap {
  std::string_view says;
  std::string_view help;
};

constexpr Trap kDeadProfiling = {
    "profiling metrics are 0 while the GPU is busy, so SM and TENSOR are not shown (issue 662)",
    "restart dcgm-exporter there; another profiler may hold the GPU, and only one can"};
constexpr Trap kSliceMemory = {
    "MIG slices have no memory in use (issue 512)",
    "upgrade dcgm-exporter and DCGM: releases before 4.2 do not report it for all slices"};
constexpr Trap kSliceOwner = {
    "metrics name no pod of MIG slices that pods hold (issue 577), so whose use it is is known by "
    "requests alone",
    "upgrade dcgm-exporter: releases up to 3.3 name none"};
constexpr Trap kRenamed = {
    "metrics name no pod of GPUs that are shared under a name of their own (issue 151)",
    "set NVIDIA_RESOURCE_NAMES=nvidia.com/gpu.shared for dcgm-exporter"};
constexpr Trap kMps = {
    "with MPS the pods that metrics name may use another card than they are named for (issue 568)",
    "take use by card from `top gpus`, and not by pod"};

/// Where traps were seen.
class TrapsSeen {
 public:
  void add(const Trap& trap, const std::string& node) {
    std::vector<std::string>& nodes = seen_[&trap];
    if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
  }
  void append_to(CheckResults& results) const {
    for (const Trap* trap : {&kDeadProfiling, &kSliceMemory, &kSliceOwner, &kRenamed, &kMps})
      if (const auto found = seen_.find(trap); found != seen_.end())
        results.push_back({.state = CheckState::warning,
                           .says = names_text(found->second) + ": " + std::string(trap->says),
                           .help = std::string(trap->help),
                           .nodes = found->second});
  }

 private:
  std::map<const Trap*, std::vector<std::string>> seen_;
};

void look_at_slice(const PoolDevice& device, TrapsSeen& traps) {
  const Sample& sample = device.live->sample;
  if (sample.vendor != Vendor::nvidia) return;
  if (!sample.measures.memory_used_bytes) traps.add(kSliceMemory, device.live->node);
  if (!device.holds.empty() && sample.owners.empty() && sample.source != MetricSource::exec)
    traps.add(kSliceOwner, device.live->node);
}

/// Several pods hold shares of the cards of a pool, and metrics name fewer of them than there are.
void look_at_shares(const CheckContext& context, std::size_t at, TrapsSeen& traps) {
  const Pool& pool = context.inventory.pools[at];
  const PoolDevices& devices = context.inventory.devices[at];
  const bool is_shared = pool.sharing.strategy == SharingStrategy::time_slicing ||
                         pool.sharing.strategy == SharingStrategy::mps;
  if (!is_shared || pool.kind.vendor != Vendor::nvidia) return;
  std::size_t named = 0;
  for (const PoolDevice& device : devices.devices)
    if (device.live != nullptr) named += device.live->sample.owners.size();
  std::size_t holders = 0;
  for (const Holding& holding : context.inventory.holdings)
    if (holding.pool == at) holders += holding.pods.size();
  if (devices.told == 0 || holders == 0) return;
  if (pool.kind.renamed && named == 0) traps.add(kRenamed, pool.node);
  if (pool.sharing.strategy == SharingStrategy::mps && named > 0) traps.add(kMps, pool.node);
}

void look_at_pool(const CheckContext& context, std::size_t at, TrapsSeen& traps) {
  const Pool& pool = context.inventory.pools[at];
  look_at_shares(context, at, traps);
  for (const PoolDevice& device : context.inventory.devices[at].devices) {
    if (device.live == nullptr || device.live->is_stale) continue;
    if (device.live->sample.has_dead_profiling) traps.add(kDeadProfiling, pool.node);
    if (!device.live->sample.mig_instance.empty()) look_at_slice(device, traps);
  }
}

void add_gaps_of_use(const std::vector<Gap>& gaps, CheckResults& results) {
  for (const Gap& gap : gaps) {
    if (gap.missing != Missing::none) continue;
    CheckResult result{.state = CheckState::warning, .says = gap.what, .nodes = gap.nodes};
    if (!gap.why.empty()) result.says += ": " + gap.why;
    (gap.help_form == HelpForm::command ? result.command : result.help) = gap.help;
    results.push_back(std::move(result));
  }
}

/// "; they are measured every 30 seconds", where that is long.
std::string seconds_between(const CheckContext& context) {
  std::chrono::milliseconds longest{0};
  for (const Sample& sample : context.snapshot.samples)
    longest = std::max(longest, sample.interval);
  if (longest < std::chrono::seconds(5)) return {};
  return fmt::format("; they are measured every {} seconds", longest.count() / 1000);
}

}  // namespace

CheckResults check_numbers(const CheckContext& context) {
  if (context.snapshot.samples.empty())
    return {{.state = CheckState::skipped, .says = "there are no metrics to look at"}};
  TrapsSeen traps;
  for (std::size_t at = 0; at < context.inventory.pools.size(); ++at)
    look_at_pool(context, at, traps);
  CheckResults results;
  traps.append_to(results);
  add_gaps_of_use(context.inventory.live.gaps(), results);
  add_gaps_of_use(context.inventory.silent_values, results);
  if (!results.empty()) return results;
  return {{.says = "no number that `top` shows is known to be wrong" + seconds_between(context)}};
}

}  // namespace gpu::checkup
