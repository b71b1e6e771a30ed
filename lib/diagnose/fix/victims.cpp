#include "diagnose/fix/victims.hpp"

#include <algorithm>
#include <tuple>

#include "diagnose/fix/eviction.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::size_t kMostPods = 8;

/// What is missing on the node, by resource; pods as a resource of their own are looked at apart.
std::vector<scheduler::Amount> shortage(std::size_t node, const NodeReasons& reasons) {
  std::vector<scheduler::Amount> missing;
  for (const scheduler::Amount& asked : reasons.requests())
    if (const std::int64_t lack = asked.value - reasons.free_of(node, asked.resource); lack > 0)
      missing.push_back({asked.resource, lack});
  return missing;
}

std::int64_t held(const scheduler::BoundPod& pod, scheduler::ResourceId resource) {
  for (const scheduler::Amount& amount : pod.requests)
    if (amount.resource == resource) return amount.value;
  return 0;
}

/// One that holds some of what is missing.
struct Holder {
  const scheduler::BoundPod* bound = nullptr;
  EvictionCost toll;
  std::int64_t first = 0;  ///< how much of what is missing first
};

/// Whether ending `pods` gives all that is missing.
bool is_enough(const std::vector<const Holder*>& pods,
               const std::vector<scheduler::Amount>& missing) {
  return std::all_of(missing.begin(), missing.end(), [&](const scheduler::Amount& lack) {
    std::int64_t sum = 0;
    for (const Holder* pod : pods) sum = capped_sum(sum, held(*pod->bound, lack.resource));
    return sum >= lack.value;
  });
}

bool is_enough_alone(const Holder& holder, const std::vector<scheduler::Amount>& missing) {
  return std::all_of(missing.begin(), missing.end(), [&](const scheduler::Amount& lack) {
    return held(*holder.bound, lack.resource) >= lack.value;
  });
}

/// Takes out every pod that the rest can do without, the dearest first.
void drop_needless(std::vector<const Holder*>& pods,
                   const std::vector<scheduler::Amount>& missing) {
  for (std::size_t i = pods.size(); i-- > 0;) {
    std::vector<const Holder*> rest = pods;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    if (!rest.empty() && is_enough(rest, missing)) pods = std::move(rest);
  }
}

EvictionCost sum_of(const std::vector<const Holder*>& pods) {
  EvictionCost sum;
  for (const Holder* pod : pods) {
    const EvictionCost& toll = pod->toll;
    sum.priority = std::max(sum.priority, toll.priority);
    sum.is_busy = sum.is_busy || toll.is_busy;
    sum.gpus = capped_sum(sum.gpus, toll.gpus);
    sum.seconds = sum.pods == 0 ? toll.seconds : std::max(sum.seconds, toll.seconds);
    ++sum.pods;
  }
  return sum;
}

EvictionCost eviction_cost_of_one(const scheduler::BoundPod& bound, const NodeReasons& reasons,
                                  const std::set<std::string>& idle_pods) {
  EvictionCost toll{
      .pods = 1, .priority = bound.priority, .is_busy = !idle_pods.contains(bound.pod->uid)};
  for (const scheduler::Amount& asked : reasons.gpus())
    toll.gpus = capped_sum(toll.gpus, held(bound, asked.resource));
  const std::optional<Time>& since = bound.pod->started ? bound.pod->started : bound.pod->created;
  if (since)
    toll.seconds =
        -std::chrono::duration_cast<std::chrono::seconds>(since->time_since_epoch()).count();
  return toll;
}

const scheduler::BoundPod* on_node(const scheduler::Cluster& cluster, const Pod& pod) {
  const auto node = cluster.node_named(pod.node_name);
  if (!node) return nullptr;
  const std::vector<scheduler::BoundPod>& pods = cluster.nodes()[*node].pods;
  const auto found = std::find_if(pods.begin(), pods.end(), [&](const scheduler::BoundPod& bound) {
    return bound.pod == &pod;
  });
  return found == pods.end() ? nullptr : &*found;
}

/// The fewest of `holders` (the largest first) that are enough; empty where kMostPods are not.
std::vector<const Holder*> largest_first(const std::vector<const Holder*>& holders,
                                         const std::vector<scheduler::Amount>& missing) {
  std::vector<const Holder*> chosen;
  for (const Holder* holder : holders) {
    if (chosen.size() == kMostPods) return {};
    chosen.push_back(holder);
    if (!is_enough(chosen, missing)) continue;
    drop_needless(chosen, missing);
    return chosen;
  }
  return {};
}

/// Of all that may go, first with those of low priority only.
std::vector<const Holder*> several(const std::vector<Holder>& holders,
                                   const std::vector<scheduler::Amount>& missing) {
  std::vector<const Holder*> sorted;
  for (const Holder& holder : holders) sorted.push_back(&holder);
  std::set<std::int32_t> priorities;
  for (const Holder& holder : holders) priorities.insert(holder.toll.priority);
  std::vector<const Holder*> best;
  const auto look = [&](const auto& rank) {
    std::stable_sort(sorted.begin(), sorted.end(),
                     [&](const Holder* a, const Holder* b) { return rank(*a) < rank(*b); });
    for (const std::int32_t most : priorities) {
      std::vector<const Holder*> low;
      for (const Holder* holder : sorted)
        if (holder->toll.priority <= most) low.push_back(holder);
      std::vector<const Holder*> chosen = largest_first(low, missing);
      if (!chosen.empty() && (best.empty() || sum_of(chosen) < sum_of(best)))
        best = std::move(chosen);
    }
  };
  look([](const Holder& each) { return std::tuple(-each.first, each.toll); });
  look([](const Holder& each) { return std::tuple(each.toll.is_busy, -each.first, each.toll); });
  return best;
}

}  // namespace

std::int64_t gpus_held_by(const scheduler::Cluster& cluster, const Pod& pod,
                          const NodeReasons& reasons) {
  std::int64_t gpus = 0;
  const scheduler::BoundPod* const bound = on_node(cluster, pod);
  if (bound != nullptr)
    for (const scheduler::Amount& asked : reasons.gpus())
      gpus = capped_sum(gpus, held(*bound, asked.resource));
  return gpus;
}

EvictionCost eviction_cost_of(const scheduler::Cluster& cluster,
                              const std::vector<const Pod*>& pods, const NodeReasons& reasons,
                              const std::set<std::string>& idle_pods) {
  std::vector<Holder> holders;
  for (const Pod* pod : pods)
    if (const scheduler::BoundPod* const bound = on_node(cluster, *pod))
      holders.push_back({bound, eviction_cost_of_one(*bound, reasons, idle_pods)});
  std::vector<const Holder*> all;
  for (const Holder& holder : holders) all.push_back(&holder);
  return sum_of(all);
}

std::vector<const scheduler::BoundPod*> victims_for(const scheduler::Cluster& cluster,
                                                    const Pod& pod, std::size_t node,
                                                    const NodeReasons& reasons,
                                                    const std::set<std::string>& idle_pods,
                                                    VictimScope whose) {
  const std::vector<scheduler::Amount> missing = shortage(node, reasons);
  const auto is_part = [&](const scheduler::BoundPod& bound) {
    return missing.empty() ||
           std::any_of(missing.begin(), missing.end(), [&](const scheduler::Amount& lack) {
             return held(bound, lack.resource) > 0;
           });
  };
  const auto is_theirs = [&](const Pod& holder) {
    return whose == VictimScope::any ? is_evictable(holder)
                                     : is_evictable_for(cluster, holder, pod);
  };
  std::vector<Holder> holders;
  for (const scheduler::BoundPod& bound : cluster.nodes()[node].pods)
    if (is_part(bound) && is_theirs(*bound.pod))
      holders.push_back({&bound, eviction_cost_of_one(bound, reasons, idle_pods),
                         missing.empty() ? 0 : held(bound, missing.front().resource)});
  // One pod that is enough by itself is better than several; of those alike the smallest.
  const Holder* one = nullptr;
  const auto rank = [](const Holder& holder) { return std::tuple(holder.toll, holder.first); };
  for (const Holder& holder : holders)
    if (is_enough_alone(holder, missing) && (one == nullptr || rank(holder) < rank(*one)))
      one = &holder;
  if (one != nullptr) return {one->bound};
  std::vector<const scheduler::BoundPod*> chosen;
  for (const Holder* holder : several(holders, missing)) chosen.push_back(holder->bound);
  return chosen;
}

}  // namespace gpu::diagnose
