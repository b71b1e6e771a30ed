#include "cost/ledger/card_part.hpp"

#include <algorithm>
#include <vector>

#include "base/quantity.hpp"
#include "model/gpu/gpu_models.hpp"
#include "model/gpu/mig.hpp"

namespace gpu::cost {
namespace {

constexpr std::int64_t kThousand = 1000;

std::optional<CardPart> slice_of(const GpuModel& model, std::string_view profile, MigBy by) {
  const auto slice = slice_parts(model, profile);
  const auto card = card_parts(model);
  if (!slice || !card) return std::nullopt;
  const bool has_more_memory = slice->memory * card->compute > slice->compute * card->memory;
  if (by == MigBy::larger && has_more_memory) return CardPart{slice->memory, card->memory};
  return CardPart{slice->compute, card->compute};
}

/// By the table of models; nothing where cards of that name are cut differently.
std::optional<CardPart> slice_of(const Pool& pool, MigBy by) {
  std::optional<CardPart> part;
  for (const GpuModel* model : gpu_models_named(card_product(pool.product), std::nullopt)) {
    const auto of_model = slice_of(*model, pool.kind.profile, by);
    if (!of_model) continue;
    if (part && *part != *of_model) return std::nullopt;
    part = of_model;
  }
  return part;
}

/// Every unit alike: the cards behind the pool by its units.
std::optional<CardPart> even_part(const Pool& pool) {
  if (!pool.cards || pool.capacity <= 0 || *pool.cards <= 0) return std::nullopt;
  return CardPart{*pool.cards, pool.capacity};
}

std::optional<CardPart> whole_part(const Pool& pool, MigBy by) {
  switch (pool.kind.kind) {
    case DeviceKind::card:
      return CardPart{};
    case DeviceKind::mig_slice:
      return pool.product.empty() ? std::nullopt : slice_of(pool, by);
    case DeviceKind::partition:
    case DeviceKind::vgpu:
    case DeviceKind::alias:
      break;
  }
  return std::nullopt;
}

/// Thousandths of one card.
std::int64_t thousandths_of(const SharedCard& card, const CardShare& share) {
  const auto of = [](std::int64_t part, std::int64_t whole) {
    if (part <= 0 || whole <= 0) return std::int64_t{0};
    return std::min(kThousand, (capped_product(part, kThousand) + whole - 1) / whole);
  };
  return std::max(of(share.cores, std::max<std::int64_t>(card.cores, 100)),
                  of(share.memory_mib, card.memory_mib));
}

}  // namespace

std::string_view card_product(std::string_view product) {
  if (product.ends_with("-SHARED")) product.remove_suffix(std::string_view("-SHARED").size());
  return product.substr(0, product.find("-MIG-"));
}

std::optional<CardPart> unit_part(const Pool& pool, MigBy by) {
  const std::optional<CardPart> whole = whole_part(pool, by);
  const bool is_shared = pool.sharing.strategy != SharingStrategy::none;
  if (!whole || (is_shared && !pool.sharing.replicas)) return even_part(pool);
  if (!is_shared) return whole;
  if (*pool.sharing.replicas <= 0) return std::nullopt;
  return CardPart{whole->parts, capped_product(whole->of, *pool.sharing.replicas)};
}

std::optional<CardPart> annotated_part(const Node& node, const Pool& pool, const Pod& pod) {
  std::int64_t parts = 0;
  for (const CardShare& share : pod.card_shares) {
    if (share.by != pool.sharing.strategy) continue;
    const auto card = std::find_if(
        node.shared_cards.begin(), node.shared_cards.end(),
        [&](const SharedCard& one) { return one.by == share.by && one.uuid == share.card; });
    if (card == node.shared_cards.end()) return std::nullopt;
    parts = capped_sum(parts, thousandths_of(*card, share));
  }
  if (parts == 0) return std::nullopt;
  return CardPart{parts, kThousand};
}

}  // namespace gpu::cost
