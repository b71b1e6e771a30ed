#include "usage/rows/model_usage.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/quantity.hpp"
#include "usage/devices/use_sum.hpp"

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

/// Adds up the use of pools of one model.
class ModelUse {
 public:
  void add(const Pool& pool, const Use& use, const OpenUse& open) {
    const std::int64_t unmeasured = use.devices - use.measured;
    const bool is_excused = unmeasured > 0 && (use.utilization || is_out(pool, use));
    gpu::usage::add(memory_, use.memory_total_bytes);
    devices_ = capped_sum(devices_, use.devices);
    const std::int64_t units = pool.total.value_or(0);
    sum_.add(use, is_excused ? capped_product(units, use.measured) / use.devices : units);
    open_.add({.utilization = open.utilization}, open.units);
    open_units_ = capped_sum(open_units_, open.units);
  }

  [[nodiscard]] Use use() const {
    Use use = sum_.sum();
    use.memory_total_bytes = memory_;
    use.devices = devices_;
    if (open_units_ > 0) use.utilization = open_.sum().utilization;
    return use;
  }

 private:
  static bool is_out(const Pool& pool, const Use& use) {
    return use.measured == 0 && pool.total && pool.unavailable == pool.total;
  }

  UseSum sum_;
  UseSum open_;
  std::int64_t open_units_ = 0;
  std::optional<std::int64_t> memory_ = 0;
  std::int64_t devices_ = 0;
};

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
  std::map<ModelKey, ModelUse> uses;
  for (const Pool* pool : pools) {
    const ModelKey key = key_of(*pool);
    add(found[key], *pool);
    const auto place = static_cast<std::size_t>(pool - inventory.pools.data());
    uses[key].add(*pool, inventory.uses.at(place), inventory.open_uses.at(place));
  }
  std::vector<ModelUsage> usages;
  usages.reserve(found.size());
  for (auto& [key, usage] : found) {
    usage.use = uses[key].use();
    usages.push_back(std::move(usage));
  }
  std::stable_sort(usages.begin(), usages.end(), comes_before);
  return usages;
}

}  // namespace gpu::usage
