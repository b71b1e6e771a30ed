#include "model/pools/card_views.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "model/gpu/mig.hpp"
#include "model/pools/physical_cards.hpp"

namespace gpu {
namespace {

bool is_advertised(const Pool& pool) { return pool.capacity > 0 || pool.allocatable > 0; }

bool is_plain_card(const Pool& pool) {
  return pool.kind.kind == DeviceKind::card && !pool.kind.renamed &&
         is_nvidia_resource(pool.resource);
}

/// Several names of one card: the lowest is the first view. 0: the cards are its own.
int view_rank(const Pool& pool) {
  static constexpr std::array<std::string_view, 7> kRanks = {
      "aliyun.com/gpu",           "aliyun.com/gpu-mem",    "volcano.sh/vgpu-number",
      "volcano.sh/gpu-number",    "aws.amazon.com/neuron", "aws.amazon.com/neurondevice",
      "aws.amazon.com/neuroncore"};
  const auto* const at = std::find(kRanks.begin(), kRanks.end(), pool.resource);
  return at == kRanks.end() ? 0 : static_cast<int>(at - kRanks.begin()) + 1;
}

bool is_view_of_same_cards(const Pool& a, const Pool& b) {
  return a.kind.vendor == b.kind.vendor && view_rank(a) != view_rank(b);
}

/// Whole cards that the device plugin advertises beside slices.
std::optional<std::int64_t> whole_cards(const std::vector<Pool>& pools) {
  std::int64_t whole = 0;
  for (const Pool& pool : pools) {
    const bool counts = pool.kind.kind == DeviceKind::card && is_advertised(pool) &&
                        is_nvidia_resource(pool.resource);
    if (!counts) continue;
    if (!pool.cards) return std::nullopt;
    whole = capped_sum(whole, *pool.cards);
  }
  return whole;
}

bool is_held(const Pool& pool, const NodeSums* sums) {
  return sums != nullptr && amount_of(sums->requested, pool.resource) > Quantity{};
}

/// Whether NVIDIA's cards are advertised cut, renamed, or by a sharing scheduler.
bool has_replacement(const std::vector<Pool>& pools) {
  return std::any_of(pools.begin(), pools.end(), [](const Pool& pool) {
    const bool is_other =
        pool.kind.kind == DeviceKind::mig_slice || pool.kind.renamed || view_rank(pool) > 0;
    return pool.kind.vendor == Vendor::nvidia && is_other && is_advertised(pool);
  });
}

/// Whether labels still count slices under this name of MIG's mixed strategy.
bool is_labelled_slice(const Pool& pool, const Node& node) {
  const std::string_view count = value_of(node.labels, pool.resource + ".count");
  return !count.empty() && count != "0";
}

/// Whether the node offers all its cards under names other than that of `lost`. Where cards cannot
/// be counted, slices of another profile may stand on others.
bool has_all_cards_elsewhere(const std::vector<Pool>& pools, const Pool& lost, const Node& node,
                             const std::optional<GpuLabels>& labels) {
  const bool is_slice = lost.kind.kind == DeviceKind::mig_slice;
  const bool is_counted = labels && labels->vendor == lost.kind.vendor;
  if (is_slice && (!is_counted || is_labelled_slice(lost, node))) return false;
  const auto there_are = is_counted ? labelled_cards(*labels) : std::nullopt;
  std::int64_t cards = 0;
  bool has_uncounted = false;
  for (const Pool& pool : pools) {
    if (pool.kind.vendor != lost.kind.vendor || pool.allocatable <= 0) continue;
    if (view_rank(pool) > 0 || view_rank(lost) > 0) continue;
    has_uncounted = has_uncounted || !pool.cards;
    cards = capped_sum(cards, pool.cards.value_or(0));
  }
  if (has_uncounted) return is_slice;
  return cards > 0 && cards >= there_are.value_or(lost.cards.value_or(1));
}

}  // namespace

bool lingers(const Pool& pool, const std::vector<Pool>& pools, const Node& node,
             const std::optional<GpuLabels>& labels) {
  if (pool.allocatable > 0 || pool.capacity == 0) return false;
  return (is_plain_card(pool) && has_replacement(pools)) ||
         has_all_cards_elsewhere(pools, pool, node, labels);
}

void drop_stale_names(std::vector<Pool>& pools, const Node& node, const NodeSums* sums,
                      const std::optional<GpuLabels>& labels) {
  std::vector<Pool> kept;
  for (const Pool& pool : pools)
    if (is_held(pool, sums) || !lingers(pool, pools, node, labels)) kept.push_back(pool);
  pools = std::move(kept);
}

void settle_slices(std::vector<Pool>& pools, const std::optional<GpuLabels>& labels) {
  if (!labels || labels->vendor != Vendor::nvidia) return;
  std::vector<Pool*> cut;
  for (Pool& pool : pools)
    if (pool.resource.starts_with("nvidia.com/mig-") && is_advertised(pool)) cut.push_back(&pool);
  const std::optional<std::int64_t> labelled = labelled_cards(*labels);
  const std::optional<std::int64_t> whole = whole_cards(pools);
  if (cut.size() != 1 || !labelled || !whole || *labelled <= *whole) return;
  const std::int64_t cards = *labelled - *whole;
  const std::optional<std::int64_t> slices = unshared_units(*cut.front());
  const auto most = slices_per_card(labels->product, labels->memory_mib, cut.front()->kind.profile);
  const bool is_too_many = slices && most && *slices > capped_product(cards, *most);
  if (!is_too_many) cut.front()->cards = cards;
}

void settle_views(std::vector<Pool>& pools) {
  for (Pool& pool : pools) {
    for (const Pool& other : pools) {
      if (!is_view_of_same_cards(pool, other) || !is_advertised(other)) continue;
      if (view_rank(other) < view_rank(pool)) pool.is_second_view = true;
      if (other.allocated.value_or(0) > 0 && pool.free_cards != 0) pool.free_cards.reset();
    }
  }
}

}  // namespace gpu
