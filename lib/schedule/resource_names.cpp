#include "schedule/resource_names.hpp"

#include "base/text.hpp"

namespace gpu::schedule {
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

}  // namespace

ResourceNames::ResourceNames(const Cluster& cluster) {
  for (const NodeState& node : cluster.nodes())
    for (const auto& [name, amount] : node.node->allocatable)
      if (name.find('/') != std::string::npos && amount.value() > 0 && !names_.contains(name))
        names_.insert(name);
  for (const DeviceClass& device_class : cluster.snapshot().device_classes) {
    if (!device_class.extended_resource.empty()) names_.insert(device_class.extended_resource);
    by_class_.insert("deviceclass.resource.kubernetes.io/" + device_class.name);
  }
}

bool ResourceNames::is_offered(std::string_view resource) const {
  return names_.contains(resource) || by_class_.contains(resource);
}

const std::string& ResourceNames::nearest(std::string_view resource) const {
  const auto known = nearest_.find(resource);
  if (known != nearest_.end()) return known->second;
  const std::vector<std::string_view> choices(names_.begin(), names_.end());
  return nearest_.emplace(resource, nearest_of(resource, choices)).first->second;
}

}  // namespace gpu::schedule
