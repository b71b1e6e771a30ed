#include "schedule/quota_room.hpp"

#include "model/requests.hpp"

namespace gpu::schedule {
namespace {

/// What quotas count of a pod, by their names for it.
ResourceList counted(const Pod& pod) {
  ResourceList all;
  all.set("pods", Quantity::of(1));
  all.set("count/pods", Quantity::of(1));
  for (const auto& [name, amount] : effective_requests(pod)) {
    all.set("requests." + name, amount);
    // cpu and memory have short names, too.
    if (name.find('/') == std::string::npos) all.set(name, amount);
  }
  ResourceList limits;
  for (const Container& container : pod.containers) add_to(limits, container.limits);
  for (const auto& [name, amount] : limits) all.set("limits." + name, amount);
  return all;
}

}  // namespace

std::string full_quota(const Cluster& cluster, const Pod& pod) {
  const ResourceList more = counted(pod);
  for (const ResourceQuota& quota : cluster.snapshot().scheduling.quotas) {
    if (quota.ns != pod.ns) continue;
    for (const auto& [name, hard] : quota.hard)
      if (const Quantity needed = amount_of(more, name);
          needed > Quantity{} && amount_of(quota.used, name) + needed > hard)
        return quota.name;
  }
  return {};
}

}  // namespace gpu::schedule
