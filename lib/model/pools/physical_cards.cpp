#include "model/pools/physical_cards.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/ascii.hpp"
#include "model/gpu/mig.hpp"
#include "model/pools/sharing.hpp"
#include "model/snapshot/card_use.hpp"

namespace gpu {
namespace {

/// Partitions that a card of this product is cut into in a mode such as "cpx_nps4". CPX makes one
/// of each of its compute dies.
std::optional<std::int64_t> partitions_per_card(std::string_view product, std::string_view mode) {
  if (mode.starts_with("spx") || mode == "gpu_pf") return 1;
  if (mode.starts_with("dpx")) return 2;
  if (mode.starts_with("tpx")) return 3;
  if (mode.starts_with("qpx")) return 4;
  if (!mode.starts_with("cpx")) return std::nullopt;
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> kDies = {
      {{"MI300X", 8}, {"MI325X", 8}, {"MI350X", 8}, {"MI355X", 8}, {"MI300A", 6}, {"MI308X", 4}}};
  for (const auto& [name, dies] : kDies)
    if (product.find(name) != std::string_view::npos) return dies;
  return std::nullopt;
}

std::optional<std::int64_t> units_per_card(const Pool& pool) {
  if (pool.kind.kind == DeviceKind::partition)
    return partitions_per_card(pool.product, pool.kind.profile);
  // Passed through whole; a chip under its old name.
  const bool is_whole = pool.kind.profile == "pgpu" || pool.kind.profile == "neurondevice";
  return is_whole ? std::optional<std::int64_t>(1) : std::nullopt;
}

std::optional<std::int64_t> quotient(std::int64_t units, std::optional<std::int64_t> each) {
  if (!each || *each <= 0 || units % *each != 0) return std::nullopt;
  return units / *each;
}

/// MIG single strategy: the cards are all cut alike. Mixed strategy is settled later.
std::optional<std::int64_t> cards_of_slices(const Pool& pool, const GpuLabels& labels) {
  if (pool.resource.starts_with("nvidia.com/mig-")) return std::nullopt;
  const auto per_card = slices_per_card(labels.product, std::nullopt, pool.kind.profile);
  const auto slices = pool.capacity == 0 ? labels.count : unshared_units(pool);
  const auto cards = slices ? quotient(*slices, per_card) : std::nullopt;
  if (!cards || (labels.cards && *cards > *labels.cards)) return labels.cards;
  return cards;
}

/// Shares of whole cards. A failed card takes its shares with it, and the label may still count it:
/// fewer cards than labelled are believed, more are not.
std::optional<std::int64_t> cards_of_shares(const Pool& pool,
                                            std::optional<std::int64_t> labelled) {
  if (!pool.sharing.replicas) return std::nullopt;
  const std::optional<std::int64_t> cards = quotient(pool.capacity, pool.sharing.replicas);
  return cards && labelled && *cards > *labelled ? std::nullopt : cards;
}

std::optional<std::int64_t> labelled_by_vendor(const Pool& pool,
                                               const std::optional<GpuLabels>& labels) {
  if (!labels || labels->vendor != pool.kind.vendor) return std::nullopt;
  return labelled_cards(*labels);
}

std::optional<std::int64_t> cards_of_whole(const Node& node, const Pool& pool,
                                           const std::optional<GpuLabels>& labels) {
  const std::optional<std::int64_t> labelled = labelled_by_vendor(pool, labels);
  switch (pool.sharing.strategy) {
    case SharingStrategy::none:
      return pool.capacity == 0 ? labelled : pool.capacity;
    case SharingStrategy::hami:
    case SharingStrategy::volcano:
    case SharingStrategy::gpushare: {
      const auto cards = shared_cards_of(node, pool.sharing.strategy, {}, 0).cards;
      return cards ? cards : labelled;
    }
    case SharingStrategy::time_slicing:
    case SharingStrategy::mps:
    case SharingStrategy::shared:
    case SharingStrategy::capacity:
      return pool.capacity == 0 ? labelled : cards_of_shares(pool, labelled);
  }
  return std::nullopt;
}

std::optional<std::int64_t> cards_as_told(const Node& node, const Pool& pool,
                                          const std::optional<GpuLabels>& labels) {
  switch (pool.kind.kind) {
    case DeviceKind::card:
      return cards_of_whole(node, pool, labels);
    case DeviceKind::mig_slice:
      return labels ? cards_of_slices(pool, *labels) : std::nullopt;
    case DeviceKind::partition:
    case DeviceKind::vgpu:
    case DeviceKind::alias: {
      const auto cards = quotient(pool.capacity, units_per_card(pool));
      return cards && *cards > 0 ? cards : labelled_by_vendor(pool, labels);
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> unshared_units(const Pool& pool) {
  if (pool.sharing.strategy == SharingStrategy::none) return pool.capacity;
  return quotient(pool.capacity, pool.sharing.replicas);
}

std::optional<std::int64_t> cards_behind(const Node& node, const Pool& pool,
                                         const std::optional<GpuLabels>& labels) {
  const std::optional<std::int64_t> cards = cards_as_told(node, pool, labels);
  // A label may count none while units are advertised: it is older than they are.
  return cards == 0 && pool.capacity > 0 ? std::nullopt : cards;
}

std::optional<std::int64_t> promised_units(const Node& node, const Pool& pool,
                                           const GpuLabels& labels) {
  // What a sharing scheduler makes of a card is its own business.
  const bool is_of_scheduler = sharing_scheduler(node, pool.resource) != SharingStrategy::none;
  if (is_of_scheduler || pool.resource.starts_with("volcano.sh/")) return std::nullopt;
  std::optional<std::int64_t> units = labelled_cards(labels);
  if (pool.kind.kind == DeviceKind::mig_slice) {
    const bool is_mixed = pool.resource.starts_with("nvidia.com/mig-");
    const std::string label = is_mixed ? "nvidia.com/mig-" + pool.kind.profile + ".count" : "";
    units = is_mixed ? whole_number(value_of(node.labels, label)) : labels.count;
    const auto per_card = slices_per_card(labels.product, std::nullopt, pool.kind.profile);
    if (!units && !is_mixed && labels.cards && per_card)
      units = capped_product(*labels.cards, *per_card);
  } else if (pool.kind.kind == DeviceKind::partition) {
    const auto per_card = partitions_per_card(pool.product, pool.kind.profile);
    units = units && per_card ? std::optional(capped_product(*units, *per_card)) : std::nullopt;
  } else if (pool.kind.kind != DeviceKind::card) {
    return std::nullopt;
  } else if (units) {
    units = std::max(units, labels.cards);
  }
  if (!units || pool.sharing.strategy == SharingStrategy::none) return units;
  if (!pool.sharing.replicas) return std::nullopt;
  return capped_product(*units, *pool.sharing.replicas);
}

}  // namespace gpu
