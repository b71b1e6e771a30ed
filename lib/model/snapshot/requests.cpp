#include "model/snapshot/requests.hpp"

#include <algorithm>

#include "model/gpu/gpu_resource.hpp"

namespace gpu {
namespace {

/// The resources that can be given for a pod as a whole.
bool is_pod_level(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

/// The container's requests, with a limit in place of a request that is missing: the API server
/// defaults that when a pod is created (SetDefaults_Pod), so only files lack it.
ResourceList requests_in_spec(const Container& container) {
  ResourceList requests = container.requests;
  for (const auto& [name, amount] : container.limits)
    if (!requests.contains(name)) requests.set(name, amount);
  return requests;
}

/// The larger of what is asked for, what runs, and what the kubelet has set aside. An infeasible
/// resize is never granted, so that the spec does not count.
ResourceList while_resizing(const Pod& pod, const ResourceList& spec, const ResourceList& actual,
                            const ResourceList& allocated) {
  ResourceList requests = actual;
  raise_to(requests, allocated);
  if (pod.resize != "Infeasible") raise_to(requests, spec);
  return requests;
}

/// By name, whichever list it stands in; of several with one name the last counts, as upstream.
const ContainerResourceStatus* status_of(const Pod& pod, std::string_view name) {
  for (const auto* statuses : {&pod.init_container_statuses, &pod.container_statuses}) {
    const auto status =
        std::find_if(statuses->rbegin(), statuses->rend(),
                     [&](const ContainerResourceStatus& it) { return it.name == name; });
    if (status != statuses->rend()) return &*status;
  }
  return nullptr;
}

ResourceList requests_of(const Pod& pod, const Container& container, RequestRules rules) {
  ResourceList spec = requests_in_spec(container);
  if (!rules.counts_resizes) return spec;
  const ContainerResourceStatus* const status = status_of(pod, container.name);
  if (status == nullptr) return spec;
  const std::optional<ResourceList>& actual = status->requests;
  if (!actual) return spec;
  return while_resizing(pod, spec, *actual, status->allocated);
}

ResourceList sum_of_containers(const Pod& pod, RequestRules rules) {
  ResourceList sum;
  for (const Container& container : pod.containers) add_to(sum, requests_of(pod, container, rules));

  // Init containers run one after another, each beside the sidecars that were started before it.
  ResourceList sidecars;
  ResourceList most_while_starting;
  for (const Container& container : pod.init_containers) {
    if (container.restarts_always) {
      const ResourceList requests = requests_of(pod, container, rules);
      add_to(sum, requests);
      add_to(sidecars, requests);
      raise_to(most_while_starting, sidecars);
    } else {
      ResourceList requests = requests_in_spec(container);
      add_to(requests, sidecars);
      raise_to(most_while_starting, requests);
    }
  }
  raise_to(sum, most_while_starting);
  return sum;
}

/// Puts pod-level requests in place of the sum, for the resources that they name.
void apply_pod_level(ResourceList& requests, const Pod& pod) {
  ResourceList spec;
  if (pod.pod_requests) spec = *pod.pod_requests;
  // Defaulted as a container's, but what the containers ask for comes first (defaultPodRequests).
  if (pod.pod_limits) {
    for (const auto& [name, amount] : *pod.pod_limits)
      if (!spec.contains(name) && (!requests.contains(name) || name.starts_with("hugepages-")))
        spec.set(name, amount);
  }
  const bool is_any = std::any_of(spec.begin(), spec.end(),
                                  [](const auto& entry) { return is_pod_level(entry.first); });
  if (!is_any) return;
  ResourceList effective = spec;
  if (pod.resized_requests)
    effective = while_resizing(pod, spec, *pod.resized_requests, pod.allocated);
  for (const auto& [name, amount] : spec)
    if (is_pod_level(name)) requests.set(name, amount_of(effective, name));
}

}  // namespace

ResourceList effective_requests(const Pod& pod, RequestRules rules) {
  ResourceList requests = sum_of_containers(pod, rules);
  if (rules.reads_pod_requests) apply_pod_level(requests, pod);
  add_to(requests, pod.overhead);
  return requests;
}

std::int64_t gpu_devices_in(const ResourceList& requests) {
  std::int64_t devices = 0;
  for (const auto& [name, amount] : requests) {
    const auto resource = gpu_resource(name);
    if (!resource) continue;
    // So many GiB are a part of one card.
    const std::int64_t units = amount.value();
    devices = capped_sum(devices, resource->is_memory ? std::min<std::int64_t>(units, 1) : units);
  }
  return devices;
}

}  // namespace gpu
