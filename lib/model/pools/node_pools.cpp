#include "model/pools/node_pools.hpp"

#include <algorithm>

#include "model/pools/card_views.hpp"
#include "model/pools/described_pool.hpp"
#include "model/pools/expected_units.hpp"
#include "model/pools/physical_cards.hpp"
#include "model/pools/toleration.hpp"
#include "model/snapshot/card_use.hpp"

namespace gpu {
namespace {

bool is_advertised(const Pool& pool) { return pool.capacity > 0 || pool.allocatable > 0; }

/// Whether the node still speaks of any GPU: if not, its device plugin never came or is gone, and
/// only labels tell how many there should be.
enum class Plugin { present, missing };

/// All units of a pool: what is advertised, held, or expected. A pool that nobody advertises has
/// what its pods hold, or what labels promise; where they promise without a number, that is
/// unknown.
std::optional<std::int64_t> total_units(const Node& node, const Pool& pool, std::int64_t held,
                                        Plugin plugin, const std::optional<GpuLabels>& labels) {
  const std::int64_t seen =
      std::max({pool.capacity, pool.allocatable, held, pool.expected.value_or(0)});
  if (plugin == Plugin::present || !labels || labels->vendor != pool.kind.vendor) return seen;
  const std::optional<std::int64_t> promised = promised_units(node, pool, *labels);
  return promised ? std::optional(std::max(seen, *promised)) : std::nullopt;
}

Unavailable own_reason(const Pool& pool, Plugin plugin) {
  if (plugin == Plugin::missing) return Unavailable::device_plugin_missing;
  if (!is_advertised(pool)) return Unavailable::none;
  if (pool.allocatable >= pool.capacity)
    return pool.expected > pool.capacity ? Unavailable::gpu_unhealthy : Unavailable::none;
  return pool.allocatable == 0 ? Unavailable::device_plugin_unhealthy : Unavailable::gpu_unhealthy;
}

/// Shares the total out: held, free, unavailable. Of a card that is shared, `cards` knows what is
/// left; where nobody wrote down who holds what of which card, the count is all that is known.
void count(Pool& pool, std::int64_t held, Coverage pod_coverage, Plugin plugin,
           Unavailable node_reason, const SharedCards& cards) {
  pool.reason = own_reason(pool, plugin);
  if (plugin == Plugin::missing) pool.free = 0;
  if (node_reason != Unavailable::none) {
    pool.reason = node_reason;
    pool.free = 0;
  }
  if (pod_coverage != Coverage::whole) {
    if (pod_coverage == Coverage::partial) pool.at_least = held;
    return;
  }
  pool.allocated = held;
  const bool is_open = !pool.free;
  if (is_open) {
    pool.free = std::max<std::int64_t>(0, pool.allocatable - held);
    if (cards.free_units) pool.free = std::min(*pool.free, *cards.free_units);
  }
  if (pool.total) pool.unavailable = *pool.total - held - *pool.free;
  if (!is_open) return;
  // A sick device that a pod holds is lost to nobody yet.
  if (pool.unavailable == 0)
    pool.reason = Unavailable::none;
  else if (pool.reason == Unavailable::none)
    pool.reason = Unavailable::card_in_use;
}

/// Cards of which nobody holds anything, where the count of units or the annotations tell.
std::optional<std::int64_t> free_cards_of(const Pool& pool, const SharedCards& cards) {
  if (!pool.free || !pool.cards) return std::nullopt;
  if (*pool.free == 0) return 0;
  const bool is_whole =
      pool.kind.kind == DeviceKind::card && pool.sharing.strategy == SharingStrategy::none;
  if (is_whole) return std::min(*pool.free, *pool.cards);
  if (cards.free_cards) return std::min(*cards.free_cards, *pool.free);
  // No unit or one: of no card or one. More may be on as many cards as not.
  if (pool.unavailable != 0 || !pool.allocated || *pool.allocated > 1) return std::nullopt;
  return *pool.cards - *pool.allocated;
}

std::vector<std::string> gpu_resource_names(const Node& node, const NodeSums* sums) {
  std::vector<std::string> names;
  const auto take = [&](const ResourceList& list) {
    for (const auto& [name, amount] : list)
      if (gpu_resource(name)) names.push_back(name);
  };
  take(node.capacity);
  take(node.allocatable);
  if (sums != nullptr) take(sums->requested);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

Unavailable node_unavailable(const Node& node, const NodeSums* sums) {
  if (!is_ready(node)) return Unavailable::node_not_ready;
  if (node.unschedulable) return Unavailable::cordoned;
  if (node.deleted) return Unavailable::node_leaving;
  Unavailable worst = Unavailable::none;
  for (const Taint& taint : node.taints) {
    const Unavailable reason = lifecycle_of(taint);
    if (reason == Unavailable::none) continue;
    if (worst == Unavailable::none || reason < worst) worst = reason;
  }
  if (worst != Unavailable::none) return worst;
  // Without an amount the scheduler counts no slot at all.
  const std::int64_t pods = sums == nullptr ? 0 : sums->pods;
  const bool is_full = pods >= amount_of(node.allocatable, "pods").value();
  return is_full ? Unavailable::too_many_pods : Unavailable::none;
}

std::vector<Pool> pools_of(const Node& node, const NodeSums* sums, Coverage pod_coverage) {
  const std::optional<GpuLabels> labels = gpu_labels(node.labels);
  const auto held = [&](const Pool& pool) {
    if (sums == nullptr) return std::int64_t{0};
    const std::int64_t requested = amount_of(sums->requested, pool.resource).value();
    const std::int64_t all =
        pool.resource == "nvidia.com/gpu"
            ? with_unreserved(requested, unreserved_gpus(sums->cards), pool.capacity)
            : requested;
    return std::max<std::int64_t>(0, all);
  };
  std::vector<Pool> pools;
  for (const std::string& name : gpu_resource_names(node, sums)) {
    Pool pool = described_pool(node, name, labels);
    // A resource at 0 is what a kubelet keeps of a plugin that is gone or was renamed. So is a MIG
    // profile that labels still promise, minutes after the cards were cut anew: it is no pool.
    if (is_advertised(pool) || held(pool) > 0) pools.push_back(std::move(pool));
  }
  if (pools.empty() && labels)
    pools.push_back(described_pool(node, usual_resource(labels->vendor), labels));
  drop_stale_names(pools, node, sums, labels);
  settle_slices(pools, labels);
  expect_units(node, labels, pools);
  const bool has_plugin = std::any_of(pools.begin(), pools.end(), is_advertised);
  const Plugin plugin = has_plugin ? Plugin::present : Plugin::missing;
  const Unavailable node_reason = node_unavailable(node, sums);
  const CardUses uses = sums == nullptr ? CardUses{} : sums->cards;
  for (Pool& pool : pools) {
    const SharedCards cards = shared_cards_of(node, pool.sharing.strategy, uses, held(pool));
    pool.total = lingers(pool, pools, node, labels)
                     ? held(pool)  // what is left of a name that was given up
                     : total_units(node, pool, held(pool), plugin, labels);
    count(pool, held(pool), pod_coverage, plugin, node_reason, cards);
    pool.free_cards = free_cards_of(pool, cards);
  }
  settle_views(pools);
  return pools;
}

bool is_gpu_node(const Node& node) { return !pools_of(node, nullptr, Coverage::none).empty(); }

}  // namespace gpu
