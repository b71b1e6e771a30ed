#include "admission/api/quota_room.hpp"

#include "admission/api/quota.hpp"
#include "admission/api/quota_scopes.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::admission {

std::string full_quota(const scheduler::Cluster& cluster, const Pod& pod) {
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

}  // namespace gpu::admission
