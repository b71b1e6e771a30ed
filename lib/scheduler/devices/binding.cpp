#include "scheduler/devices/binding.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>

namespace gpu::scheduler {
namespace {

constexpr std::chrono::minutes kTimeout{10};  // bindingTimeout, as DynamicResources has it

}  // namespace

Binding binding_state(const ResourceClaim& claim, std::optional<Time> now) {
  const auto is_condition_true = [](const AllocatedDevice& device) {
    return [&device](const std::string& type) { return is_true(device.conditions, type); };
  };
  const auto waits = [&](const AllocatedDevice& device) {
    const auto is_met = is_condition_true(device);
    const auto& wanted = device.binding_conditions;
    const auto& feared = device.binding_failure_conditions;
    return !wanted.empty() && (std::any_of(feared.begin(), feared.end(), is_met) ||
                               !std::all_of(wanted.begin(), wanted.end(), is_met));
  };
  const auto first = std::find_if(claim.devices.begin(), claim.devices.end(), waits);
  if (first == claim.devices.end()) return Binding::ready;
  const auto& feared = first->binding_failure_conditions;
  if (std::any_of(feared.begin(), feared.end(), is_condition_true(*first)))
    return Binding::given_up;
  if (!claim.allocated_at) return Binding::pending;
  if (!now) return Binding::not_known;
  return *claim.allocated_at + kTimeout < *now ? Binding::given_up : Binding::pending;
}

}  // namespace gpu::scheduler
