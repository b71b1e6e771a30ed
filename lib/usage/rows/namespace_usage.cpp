#include "usage/rows/namespace_usage.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "base/quantity.hpp"
#include "usage/devices/use_sum.hpp"
#include "usage/rows/amounts.hpp"

namespace gpu::usage {
namespace {

using KindKey = std::tuple<std::string, std::string, PoolSource, std::string, Unit, SharingStrategy,
                           std::optional<std::int64_t>>;

/// A quarter of a card and a tenth of one are different things.
KindKey key_of(const PodUsage& row) {
  const Pool& pool = *row.pool;
  return {row.holding->ns, pool.resource,         pool.source,          pool.model,
          unit_of(pool),   pool.sharing.strategy, pool.sharing.replicas};
}

bool is_whole(const NamespaceUsage& usage) { return unit_of(*usage.pool) < Unit::mig; }

bool comes_before(const NamespaceUsage& a, const NamespaceUsage& b) {
  if (a.ns != b.ns) return a.ns < b.ns;
  if (is_whole(a) != is_whole(b)) return is_whole(a);
  if (a.units != b.units) return a.units > b.units;
  return std::tie(a.pool->resource, a.pool->model) < std::tie(b.pool->resource, b.pool->model);
}

NamespaceGroup group_of(std::vector<NamespaceUsage> kinds) {
  NamespaceGroup group{.ns = kinds.front().ns};
  group.kinds = std::move(kinds);
  std::set<const Pod*> pods;
  UseSum use;
  for (const NamespaceUsage& usage : group.kinds) {
    use.add(usage.use, usage.units);
    std::int64_t& sum = is_whole(usage) ? group.cards : group.parts;
    sum = capped_sum(sum, usage.units);
    pods.insert(usage.pods.begin(), usage.pods.end());
  }
  group.pods = static_cast<std::int64_t>(pods.size());
  group.use = use.sum();
  return group;
}

}  // namespace

std::vector<NamespaceUsage> namespace_usage(const std::vector<PodUsage>& rows) {
  std::map<KindKey, NamespaceUsage> found;
  std::map<KindKey, std::set<const Holding*>> counted;
  std::map<KindKey, UseSum> uses;
  for (const PodUsage& row : rows) {
    const KindKey key = key_of(row);
    NamespaceUsage& usage = found[key];
    usage.ns = row.holding->ns;
    usage.pool = row.pool;
    if (row.pod != nullptr) usage.pods.insert(row.pod);
    if (!counted[key].insert(row.holding).second) continue;
    usage.units = capped_sum(usage.units, row.holding->units);
    uses[key].add(row.held_use, row.holding->units);
  }
  std::vector<NamespaceUsage> usages;
  usages.reserve(found.size());
  for (auto& [key, usage] : found) {
    usage.use = uses[key].sum();
    usages.push_back(std::move(usage));
  }
  std::stable_sort(usages.begin(), usages.end(), comes_before);
  return usages;
}

std::vector<NamespaceGroup> namespace_groups(const std::vector<NamespaceUsage>& usages,
                                             Kinds kinds) {
  std::vector<NamespaceGroup> groups;
  for (std::size_t at = 0; at < usages.size();) {
    std::size_t end = at + 1;
    while (kinds == Kinds::together && end < usages.size() && usages[end].ns == usages[at].ns)
      ++end;
    const auto first = usages.begin();
    groups.push_back(group_of(
        {first + static_cast<std::ptrdiff_t>(at), first + static_cast<std::ptrdiff_t>(end)}));
    at = end;
  }
  if (kinds == Kinds::together)
    std::stable_sort(groups.begin(), groups.end(),
                     [](const NamespaceGroup& a, const NamespaceGroup& b) {
                       return std::tie(a.cards, a.parts) > std::tie(b.cards, b.parts);
                     });
  return groups;
}

std::string kinds_text(const NamespaceGroup& group) {
  std::vector<PoolAmount> amounts;
  amounts.reserve(group.kinds.size());
  for (const NamespaceUsage& usage : group.kinds) amounts.push_back({usage.pool, usage.units});
  return amounts_text(amounts);
}

}  // namespace gpu::usage
