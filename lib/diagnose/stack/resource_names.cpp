#include "diagnose/stack/resource_names.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::diagnose {
namespace {

/// The parts of a name, in any order.
std::multiset<std::string> words_of(std::string_view name) {
  std::multiset<std::string> found;
  std::string word;
  for (const char letter : std::string(name) + "/") {
    if (letter != '.' && letter != '/') {
      word += letter;
    } else {
      if (!word.empty() && word != "com") found.insert(word);
      word.clear();
    }
  }
  return found;
}

std::string nearest_of(std::string_view resource, const std::vector<std::string_view>& choices) {
  if (const auto near = nearest_name(resource, choices)) return std::string(*near);
  // "nvidia/gpu" and "gpu.nvidia.com" for "nvidia.com/gpu": the same words in another place.
  const auto words = words_of(resource);
  for (const std::string_view choice : choices)
    if (words_of(choice) == words) return std::string(choice);
  return {};
}

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// "1g.10gb", "1g.10gb+me": how a MIG profile is written.
bool is_mig_profile(std::string_view profile) {
  const auto skip = [&](std::string_view unit) {
    const auto end = std::find_if_not(profile.begin(), profile.end(), is_digit);
    const auto digits = static_cast<std::size_t>(end - profile.begin());
    profile.remove_prefix(digits);
    if (digits == 0 || !profile.starts_with(unit)) return false;
    profile.remove_prefix(unit.size());
    return true;
  };
  return skip("g.") && skip("gb") && (profile.empty() || profile.front() == '+');
}

/// The name under which a maker's plugin offers GPUs, shared or cut into slices.
bool is_well_known(std::string_view resource) {
  static constexpr std::array<std::string_view, 6> kOthers = {
      "gpu.intel.com/xe",       "aws.amazon.com/neuroncore", "aws.amazon.com/neurondevice",
      "volcano.sh/vgpu-number", "volcano.sh/gpu-number",     "aliyun.com/gpu-mem"};
  const auto gpu = gpu_resource(resource);
  if (!gpu) return false;
  if (gpu->kind == DeviceKind::mig_slice) return is_mig_profile(gpu->profile);
  if (gpu->kind == DeviceKind::partition || gpu->kind == DeviceKind::vgpu) return true;
  constexpr std::string_view kShared = ".shared";
  if (gpu->renamed && resource.ends_with(kShared)) resource.remove_suffix(kShared.size());
  return resource == usual_resource(gpu->vendor) ||
         std::find(kOthers.begin(), kOthers.end(), resource) != kOthers.end();
}

}  // namespace

ResourceNames::ResourceNames(const scheduler::Cluster& cluster) {
  for (const scheduler::NodeState& node : cluster.nodes()) {
    for (const auto& [name, amount] : node.node->allocatable)
      if (name.find('/') != std::string::npos && amount.value() > 0 && !names_.contains(name))
        names_.insert(name);
    for (const auto& [name, amount] : node.node->capacity)
      if (name.find('/') != std::string::npos && !known_.contains(name)) known_.insert(name);
  }
  for (const DeviceClass& device_class : cluster.snapshot().device_classes) {
    if (!device_class.extended_resource.empty()) names_.insert(device_class.extended_resource);
    by_class_.insert("deviceclass.resource.kubernetes.io/" + device_class.name);
  }
}

bool ResourceNames::is_offered(std::string_view resource) const {
  return names_.contains(resource) || by_class_.contains(resource);
}

bool ResourceNames::is_misspelt(std::string_view resource) const {
  return !is_offered(resource) && !known_.contains(resource) && !is_well_known(resource) &&
         !nearest(resource).empty();
}

const std::string& ResourceNames::nearest(std::string_view resource) const {
  const auto known = nearest_.find(resource);
  if (known != nearest_.end()) return known->second;
  const std::vector<std::string_view> choices(names_.begin(), names_.end());
  return nearest_.emplace(resource, nearest_of(resource, choices)).first->second;
}

}  // namespace gpu::diagnose
