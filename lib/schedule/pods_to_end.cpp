#include "schedule/pods_to_end.hpp"

#include <algorithm>
#include <tuple>

#include "schedule/ending.hpp"

namespace gpu::schedule {
namespace {

constexpr std::size_t kMostPods = 8;

/// What is missing on the node, by resource; pods as a resource of their own are looked at apart.
std::vector<Amount> shortage(std::size_t node, const NodeReasons& reasons) {
  std::vector<Amount> missing;
  for (const Amount& asked : reasons.asks())
    if (const std::int64_t lack = asked.value - reasons.free_of(node, asked.resource); lack > 0)
      missing.push_back({asked.resource, lack});
  return missing;
}

std::int64_t held(const BoundPod& pod, ResourceId resource) {
  for (const Amount& amount : pod.requests)
    if (amount.resource == resource) return amount.value;
  return 0;
}

/// Whether ending `pods` gives all that is missing.
bool is_enough(const std::vector<const BoundPod*>& pods, const std::vector<Amount>& missing) {
  return std::all_of(missing.begin(), missing.end(), [&](const Amount& lack) {
    std::int64_t sum = 0;
    for (const BoundPod* pod : pods) sum = capped_sum(sum, held(*pod, lack.resource));
    return sum >= lack.value;
  });
}

/// Takes out every pod that the rest can do without, the dearest first.
void drop_needless(std::vector<const BoundPod*>& pods, const std::vector<Amount>& missing) {
  for (std::size_t i = pods.size(); i-- > 0;) {
    std::vector<const BoundPod*> rest = pods;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    if (!rest.empty() && is_enough(rest, missing)) pods = std::move(rest);
  }
}

}  // namespace

std::vector<const BoundPod*> pods_to_end(const Cluster& cluster, const Pod& /*pod*/,
                                         std::size_t node, const NodeReasons& reasons,
                                         const std::set<std::string>& idle_pods) {
  const NodeState& state = cluster.nodes()[node];
  const std::vector<Amount> missing = shortage(node, reasons);
  std::vector<const BoundPod*> holders;
  for (const BoundPod& bound : state.pods)
    if (may_be_ended(*bound.pod) &&
        (missing.empty() || std::any_of(missing.begin(), missing.end(), [&](const Amount& lack) {
           return held(bound, lack.resource) > 0;
         })))
      holders.push_back(&bound);
  const ResourceId first = missing.empty() ? 0 : missing.front().resource;
  std::stable_sort(holders.begin(), holders.end(), [&](const BoundPod* a, const BoundPod* b) {
    const auto rank = [&](const BoundPod* bound) {
      return std::tuple(!idle_pods.contains(bound->pod->uid), bound->priority,
                        -held(*bound, first));
    };
    return rank(a) < rank(b);
  });
  // One pod that is enough by itself is better than several; of those alike the smallest.
  const BoundPod* one = nullptr;
  for (const BoundPod* holder : holders) {
    if (!is_enough({holder}, missing)) continue;
    const auto rank = [&](const BoundPod* bound) {
      return std::tuple(!idle_pods.contains(bound->pod->uid), bound->priority, held(*bound, first));
    };
    if (one == nullptr || rank(holder) < rank(one)) one = holder;
  }
  if (one != nullptr) return {one};
  std::vector<const BoundPod*> chosen;
  for (const BoundPod* holder : holders) {
    if (chosen.size() == kMostPods) return {};
    chosen.push_back(holder);
    if (!is_enough(chosen, missing)) continue;
    drop_needless(chosen, missing);
    return chosen;
  }
  return {};
}

}  // namespace gpu::schedule
