#include "schedule/quota_room.hpp"

#include "model/requests.hpp"
#include "schedule/planned_quota.hpp"
#include "schedule/quota_scopes.hpp"

namespace gpu::schedule {

std::string full_quota(const Cluster& cluster, const Pod& pod) {
  const ResourceList more = quota_usage(pod);
  for (const ResourceQuota& quota : cluster.snapshot().scheduling.quotas) {
    if (quota.ns != pod.ns || counts(quota, pod) != true) continue;
    for (const auto& [name, hard] : quota.hard)
      if (const Quantity needed = amount_of(more, name);
          needed > Quantity{} && amount_of(quota.used, name) + needed > hard)
        return quota.name;
  }
  return {};
}

}  // namespace gpu::schedule
