#include "model/snapshot/card_use.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/quantity.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/snapshot/gpu_fraction.hpp"

namespace gpu {
namespace {

/// In CardUses the GPUs that KAI shares out stand by their groups, beside the strategy none: who
/// has a part of each, and which pod reserves it.
constexpr std::string_view kShared = "shared/";
constexpr std::string_view kReserved = "reserved/";

void add_group_shares(CardUses& uses, const Pod& pod) {
  const std::vector<std::string_view> groups = gpu_groups(pod);
  if (groups.empty()) return;
  const std::string kind(is_gpu_reservation(pod) ? kReserved : kShared);
  for (const std::string_view group : groups)
    ++uses[{SharingStrategy::none, kind + std::string(group)}].units;
}

constexpr std::string_view kGpuShareCount = "aliyun.com/gpu-count";
constexpr std::string_view kGpuShareMemory = "aliyun.com/gpu-mem";

bool asks_for(SharingStrategy strategy, const ResourceList& requests) {
  return std::any_of(requests.begin(), requests.end(), [&](const auto& entry) {
    return entry.second > Quantity{} && is_shared_by(strategy, entry.first);
  });
}

CardUse use_of(const CardUses& uses, SharingStrategy strategy, const std::string& card) {
  const auto found = uses.find({strategy, card});
  return found == uses.end() ? CardUse{} : found->second;
}

/// Units that requests hold and that no annotation places on a card.
std::int64_t unplaced_units(SharingStrategy strategy, const CardUses& uses, std::int64_t held) {
  std::int64_t placed = 0;
  for (const auto& [key, use] : uses)
    if (key.first == strategy) placed = capped_sum(placed, use.units);
  return std::max<std::int64_t>(0, held - placed);
}

/// Slots that a pod could still get: it needs some memory, and compute that is not all taken.
/// HAMi and Volcano refuse a card whose compute is used up even to who asks for none of it.
std::int64_t free_slots(const SharedCard& card, const CardUse& use) {
  if (!card.is_healthy) return 0;
  if (card.cores > 0 && use.cores >= card.cores) return 0;
  return std::max<std::int64_t>(0,
                                std::min(card.slots - use.units, card.memory_mib - use.memory_mib));
}

SharedCards registered_cards(const Node& node, SharingStrategy strategy, const CardUses& uses,
                             std::int64_t held) {
  SharedCards result{.cards = 0, .free_units = 0, .free_cards = 0};
  for (const SharedCard& card : node.shared_cards) {
    if (card.by != strategy) continue;
    if (result.cards == 0)
      result.units_per_card = card.slots;
    else if (result.units_per_card != card.slots)
      result.units_per_card.reset();
    ++*result.cards;
    const CardUse use = use_of(uses, strategy, card.uuid);
    *result.free_units = capped_sum(*result.free_units, free_slots(card, use));
    if (card.is_healthy && use == CardUse{}) ++*result.free_cards;
  }
  if (result.cards == 0) return {};
  const std::int64_t unplaced = unplaced_units(strategy, uses, held);
  *result.free_units = std::max<std::int64_t>(0, *result.free_units - unplaced);
  if (unplaced > 0) result.free_cards.reset();
  return result;
}

/// gpushare registers only how many cards there are; they are of one size.
SharedCards gpushare_cards(const Node& node, const CardUses& uses, std::int64_t held) {
  SharedCards result;
  const std::int64_t cards = amount_of(node.capacity, kGpuShareCount).value();
  const std::int64_t memory = amount_of(node.capacity, kGpuShareMemory).value();
  if (cards <= 0) return result;
  result.cards = cards;
  if (memory > 0 && memory % cards == 0) result.units_per_card = memory / cards;
  if (unplaced_units(SharingStrategy::gpushare, uses, held) > 0) return result;
  const auto used = std::count_if(uses.begin(), uses.end(), [](const auto& entry) {
    return entry.first.first == SharingStrategy::gpushare && entry.second.units > 0;
  });
  result.free_cards = std::max<std::int64_t>(0, cards - used);
  return result;
}

}  // namespace

bool is_shared_by(SharingStrategy strategy, std::string_view resource) {
  switch (strategy) {
    case SharingStrategy::hami: {
      const std::optional<GpuResource> kind = gpu_resource(resource);
      return kind && kind->kind == DeviceKind::card && resource.starts_with("nvidia.com/");
    }
    case SharingStrategy::volcano:
      return resource == "volcano.sh/vgpu-number";
    case SharingStrategy::gpushare:
      return resource == kGpuShareMemory;
    case SharingStrategy::none:
    case SharingStrategy::time_slicing:
    case SharingStrategy::mps:
    case SharingStrategy::shared:
    case SharingStrategy::capacity:
      return false;
  }
  return false;
}

void add_card_shares(CardUses& uses, const Pod& pod, const ResourceList& requests) {
  add_group_shares(uses, pod);
  for (const CardShare& share : pod.card_shares) {
    if (!asks_for(share.by, requests)) continue;
    CardUse& use = uses[{share.by, share.card}];
    use.units = capped_sum(use.units, share.units);
    use.memory_mib = capped_sum(use.memory_mib, share.memory_mib);
    use.cores = capped_sum(use.cores, share.cores);
  }
}

std::int64_t unreserved_gpus(const CardUses& uses) {
  return std::count_if(uses.begin(), uses.end(), [&](const auto& entry) {
    const auto& [strategy, name] = entry.first;
    if (strategy != SharingStrategy::none || !name.starts_with(kShared)) return false;
    const std::string reserved = std::string(kReserved) + name.substr(kShared.size());
    return !uses.contains({SharingStrategy::none, reserved});
  });
}

std::int64_t with_unreserved(std::int64_t requested, std::int64_t unreserved,
                             std::int64_t capacity) {
  return requested + std::clamp<std::int64_t>(capacity - requested, 0, unreserved);
}

SharedCards shared_cards_of(const Node& node, SharingStrategy strategy, const CardUses& uses,
                            std::int64_t held) {
  switch (strategy) {
    case SharingStrategy::hami:
    case SharingStrategy::volcano:
      return registered_cards(node, strategy, uses, held);
    case SharingStrategy::gpushare:
      return gpushare_cards(node, uses, held);
    case SharingStrategy::none:
    case SharingStrategy::time_slicing:
    case SharingStrategy::mps:
    case SharingStrategy::shared:
    case SharingStrategy::capacity:
      return {};
  }
  return {};
}

}  // namespace gpu
