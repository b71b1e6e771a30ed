#include "admission/api/pod_limits.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace gpu::admission {
namespace {

bool has_pod_level(const std::optional<ResourceList>& list) {
  return list && std::any_of(list->begin(), list->end(),
                             [](const auto& entry) { return is_pod_level(entry.first); });
}

}  // namespace

bool is_pod_level(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

ResourceList total_of(const Pod& pod, ResourceList Container::*list) {
  ResourceList sum;
  for (const Container& container : pod.containers) add_to(sum, container.*list);
  ResourceList sidecars;
  ResourceList most_while_starting;
  for (const Container& container : pod.init_containers) {
    ResourceList beside = sidecars;
    add_to(beside, container.*list);
    if (container.restarts_always) {
      add_to(sum, container.*list);
      sidecars = beside;
    }
    raise_to(most_while_starting, beside);
  }
  raise_to(sum, most_while_starting);
  return sum;
}

ResourceList effective_limits(const Pod& pod) {
  ResourceList limits = total_of(pod, &Container::limits);
  if (pod.pod_limits)
    for (const auto& [name, amount] : *pod.pod_limits)
      if (is_pod_level(name)) limits.set(name, amount);
  for (const auto& [name, amount] : pod.overhead)
    if (amount_of(limits, name) != Quantity{}) limits[name] += amount;
  return limits;
}

bool has_pod_level_resources(const Pod& pod) {
  return has_pod_level(pod.pod_requests) || has_pod_level(pod.pod_limits);
}

}  // namespace gpu::admission
