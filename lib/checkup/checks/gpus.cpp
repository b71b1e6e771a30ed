#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/phrase.hpp"
#include "base/text.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "model/gpu/xid.hpp"
#include "usage/devices/device_merge.hpp"

namespace gpu::checkup {
namespace {

using diagnose::Code;

/// NVML's bits of what slows the clocks down and is no choice of anybody: a hardware slowdown, its
/// thermal and power brakes, and the driver's thermal one. Source: nvml.h,
/// nvmlClocksThrottleReason*.
constexpr std::int64_t kHardware = 0x8;
constexpr std::int64_t kSoftwareThermal = 0x20;
constexpr std::int64_t kHardwareThermal = 0x40;
constexpr std::int64_t kPowerBrake = 0x80;

std::string_view slowdown_in(std::int64_t reasons) {
  if ((reasons & (kHardwareThermal | kSoftwareThermal)) != 0) return "its temperature";
  if ((reasons & kPowerBrake) != 0) return "its power supply";
  if ((reasons & kHardware) != 0) return "its hardware";
  return {};
}

/// What is wrong with cards, gathered by what it is.
class CardTroubles {
 public:
  void add(CheckState state, const std::string& what, const std::string& help,
           const usage::DeviceUse& device) {
    Trouble& trouble = troubles_[{state, what}];
    trouble.help = help;
    trouble.cards.push_back(usage::device_text(device.node, device.sample));
    if (trouble.nodes.empty() || trouble.nodes.back() != device.node)
      trouble.nodes.push_back(device.node);
  }

  void append_to(CheckResults& results) const {
    for (const auto& [key, trouble] : troubles_)
      results.push_back(
          {.state = key.first,
           .says = few_and_rest(trouble.cards, 3) + ": " + key.second,
           .help = trouble.help,
           .command = "kubectl gpu top gpus --node " + shell_quoted(trouble.nodes.front()),
           .nodes = trouble.nodes});
  }

 private:
  struct Trouble {
    std::string help;
    std::vector<std::string> cards;
    std::vector<std::string> nodes;
  };
  std::map<std::pair<CheckState, std::string>, Trouble> troubles_;
};

void look_at_memory(const usage::DeviceUse& device, CardTroubles& to) {
  const CardFaults& faults = device.sample.measures.faults;
  if (faults.remap_failure.value_or(0) > 0)
    to.add(CheckState::failed, "a row of its memory could not be remapped",
           "drain the node and have the card replaced", device);
  else if (faults.remap_pending.value_or(0) > 0)
    to.add(CheckState::warning, "a row of its memory is remapped at its next reset",
           "reset the card, or restart the node, once its pods have ended", device);
  else if (faults.uncorrectable_errors.value_or(0) > 0)
    to.add(CheckState::warning, "its memory had errors that ECC could not correct",
           "reset the card once its pods have ended; where they come again, have it replaced",
           device);
}

void look_at(const usage::DeviceUse& device, CardTroubles& to) {
  const Measures& told = device.sample.measures;
  look_at_memory(device, to);
  const std::int64_t xid = told.last_xid.value_or(0);
  if (xid > 0 && kind_of_xid(xid) != XidKind::program)
    to.add(CheckState::warning,
           fmt::format("its last Xid error is {}, {}; when it was is not known", xid,
                       meaning_of_xid(xid)),
           "look for it in the kernel's log of the node; an exporter reports the last one until it "
           "is restarted",
           device);
  const std::string_view slowdown = slowdown_in(told.faults.clock_reasons.value_or(0));
  if (!slowdown.empty())
    to.add(CheckState::warning, fmt::format("{} slows its clocks down", slowdown),
           "look at the cooling and the power of the node", device);
}

}  // namespace

CheckResults check_gpus(const CheckContext& context) {
  NodeResults lost(CheckState::failed);
  for (const NodeFault& each : context.faults)
    if (each.fault.code == Code::gpu_unhealthy) lost.add(each.node->node(), each.fault);
  CheckResults results;
  lost.append_to(results);
  CardTroubles troubles;
  std::size_t measured = 0;
  for (const GpuNode& node : context.nodes)
    for (const usage::DeviceUse& device : context.inventory.live.devices_on(node.node().name)) {
      if (device.is_stale || !device.sample.mig_instance.empty()) continue;
      ++measured;
      look_at(device, troubles);
    }
  troubles.append_to(results);
  if (!results.empty()) return results;
  if (measured == 0)
    return {{.says = "nodes have all GPUs that they should have; no metrics report Xid or memory "
                     "errors"}};
  return {{.says = fmt::format(
               "nodes have all GPUs that they should have, and the metrics of {} show no fault",
               counted(static_cast<std::int64_t>(measured), "card"))}};
}

}  // namespace gpu::checkup
