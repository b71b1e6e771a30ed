#include "quota/waiting_flavor.hpp"

#include <algorithm>
#include <vector>

#include "admission/kueue/flavor.hpp"
#include "quota/cards.hpp"

namespace gpu::quota {
namespace {

const PodSet* set_that_requests(const QueuedWorkload& workload, std::string_view resource) {
  const auto found =
      std::find_if(workload.pod_sets.begin(), workload.pod_sets.end(), [&](const PodSet& set) {
        return set.count > 0 && amount_of(set.requests, resource) != Quantity{};
      });
  return found == workload.pod_sets.end() ? nullptr : &*found;
}

}  // namespace

std::string_view waiting_flavor(const SchedulingFacts& facts, const ClusterQueue& queue,
                                const QueuedWorkload& workload, std::string_view resource) {
  std::vector<std::string_view> names;
  std::vector<const ResourceFlavor*> group;
  for (const FlavorQuota& quota : queue.quotas) {
    if (quota.resource != resource) continue;
    names.push_back(quota.flavor);
    if (const ResourceFlavor* const flavor = flavor_named(facts, quota.flavor))
      group.push_back(flavor);
  }
  if (names.empty()) return {};
  const PodSet* const set = set_that_requests(workload, resource);
  if (set == nullptr || names.size() == 1) return names.front();
  for (const ResourceFlavor* flavor : group)
    if (admission::flavor_mismatch(*flavor, group, *set).empty()) return flavor->name;
  return names.front();
}

}  // namespace gpu::quota
