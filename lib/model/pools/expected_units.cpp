#include "model/pools/expected_units.hpp"

#include <algorithm>

#include "model/pools/physical_cards.hpp"

namespace gpu {
namespace {

/// Cards that are cut are not advertised as cards, and their slices may not be yet.
bool has_cut_cards(const Node& node) {
  return std::any_of(node.labels.begin(), node.labels.end(), [](const auto& label) {
    return label.first.starts_with("nvidia.com/mig-") && label.first.ends_with(".count");
  });
}

}  // namespace

void expect_units(const Node& node, const std::optional<GpuLabels>& labels,
                  std::vector<Pool>& pools) {
  if (!labels || has_cut_cards(node)) return;
  const auto is_of_maker = [&](const Pool& pool) { return pool.kind.vendor == labels->vendor; };
  if (std::count_if(pools.begin(), pools.end(), is_of_maker) != 1) return;
  Pool& pool = *std::find_if(pools.begin(), pools.end(), is_of_maker);
  if (pool.kind.kind != DeviceKind::card) return;
  pool.expected = promised_units(node, pool, *labels);
  if (!pool.expected) return;
  pool.expected_by = labels->told_by;
  const bool is_whole = pool.sharing.strategy == SharingStrategy::none;
  if (is_whole && pool.capacity > 0) pool.cards = std::max(pool.capacity, *pool.expected);
}

void forget_expected(Pool& pool) {
  const std::int64_t held = pool.allocated ? *pool.allocated : pool.at_least.value_or(0);
  const std::int64_t seen = std::max({pool.capacity, pool.allocatable, held});
  if (!pool.expected || !pool.total || pool.capacity == 0 || *pool.total <= seen) return;
  if (pool.unavailable) *pool.unavailable -= *pool.total - seen;
  if (pool.unavailable == 0) pool.reason = Unavailable::none;
  pool.total = seen;
  if (pool.sharing.strategy == SharingStrategy::none) pool.cards = pool.capacity;
  pool.expected.reset();
  pool.expected_by.clear();
}

}  // namespace gpu
