#include "usage/model_usage.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/quantity.hpp"
#include "usage/use_sum.hpp"

namespace gpu::usage {
namespace {

// A pool that nobody can count keeps a row of its own: it would make the others' sums unknown.
using ModelKey =
    std::tuple<std::string, Vendor, Unit, SharingStrategy, std::optional<std::int64_t>, bool, bool>;

ModelKey key_of(const Pool& pool) {
  return {pool.model,
          pool.kind.vendor,
          unit_of(pool),
          pool.sharing.strategy,
          pool.sharing.replicas,
          pool.is_second_view,
          pool.reason == Unavailable::managed_by_dra};
}

void add(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& part) {
  if (sum && part)
    *sum = capped_sum(*sum, *part);
  else
    sum.reset();
}

void add(ModelUsage& usage, const Pool& pool) {
  usage.pool = &pool;
  usage.nodes.insert(pool.node);
  add(usage.cards, pool.cards);
  add(usage.free_cards, pool.free_cards);
  add(usage.total, pool.total);
  add(usage.allocated, pool.allocated);
  add(usage.at_least, pool.allocated ? pool.allocated : pool.at_least);
  add(usage.free, pool.free);
  add(usage.unavailable, pool.unavailable);
}

bool comes_before(const ModelUsage& a, const ModelUsage& b) {
  const Unit left = unit_of(*a.pool);
  const Unit right = unit_of(*b.pool);
  if (left != right) return left < right;
  const std::int64_t left_total = a.total.value_or(0);
  const std::int64_t right_total = b.total.value_or(0);
  if (left_total != right_total) return left_total > right_total;
  return a.pool->model < b.pool->model;
}

}  // namespace

std::vector<ModelUsage> model_usage(const Inventory& inventory,
                                    const std::vector<const Pool*>& pools) {
  std::map<ModelKey, ModelUsage> found;
  std::map<ModelKey, UseSum> uses;
  for (const Pool* pool : pools) {
    const ModelKey key = key_of(*pool);
    add(found[key], *pool);
    const auto place = static_cast<std::size_t>(pool - inventory.pools.data());
    uses[key].add(inventory.uses.at(place), pool->total.value_or(0));
  }
  std::vector<ModelUsage> usages;
  usages.reserve(found.size());
  for (auto& [key, usage] : found) {
    usage.use = uses[key].sum();
    usages.push_back(std::move(usage));
  }
  std::stable_sort(usages.begin(), usages.end(), comes_before);
  return usages;
}

}  // namespace gpu::usage
