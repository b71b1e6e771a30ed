#include "model/pools/sharing.hpp"

#include <algorithm>
#include <string>

#include "base/ascii.hpp"
#include "model/snapshot/card_use.hpp"

namespace gpu {
namespace {

/// HAMi advertises a card as several, and hands out memory and cores of it.
bool is_managed_by_hami(const Node& node) {
  return node.annotations.contains("hami.io/node-nvidia-register") ||
         node.capacity.contains("nvidia.com/gpumem") ||
         node.capacity.contains("nvidia.com/gpucores");
}

/// `capacity` in `cards` equal parts; nothing where that does not come out as several each.
std::optional<std::int64_t> shares_each(std::int64_t capacity, std::int64_t cards) {
  if (cards <= 0 || capacity <= cards || capacity % cards != 0) return std::nullopt;
  return capacity / cards;
}

/// Labels are the labeller's reading of its own configuration, and capacity is what the device
/// plugin does: shares that do not add up to it are not those of the plugin.
Sharing checked(Sharing sharing, const Pool& pool, const GpuLabels& labels) {
  const std::optional<std::int64_t> count = labelled_cards(labels);
  if (pool.capacity == 0) return sharing;
  // Replicas of a sharing that is not in force.
  const bool is_as_before = !pool.kind.renamed && count == pool.capacity;
  if (labels.denies_sharing && is_as_before) return {};
  if (!sharing.replicas) {
    if (labels.count) sharing.replicas = shares_each(pool.capacity, *labels.count);
    return sharing;
  }
  if (is_as_before || pool.capacity % *sharing.replicas != 0) sharing.replicas.reset();
  return sharing;
}

/// nvidia.com/mig-1g.10gb.replicas and its like, in MIG mixed strategy.
Sharing sharing_of_profile(const Node& node, const Pool& pool) {
  const std::string prefix = "nvidia.com/mig-" + pool.kind.profile;
  const std::string_view strategy = value_of(node.labels, prefix + ".sharing-strategy");
  const auto replicas = whole_number(value_of(node.labels, prefix + ".replicas"));
  const bool has_replicas = replicas && *replicas > 1;
  if (!has_replicas && !pool.kind.renamed) return {};
  const Sharing sharing{strategy == "mps" ? SharingStrategy::mps : SharingStrategy::time_slicing,
                        has_replicas ? replicas : std::nullopt};
  const auto count = whole_number(value_of(node.labels, prefix + ".count"));
  const GpuLabels of_profile{.count = count, .denies_sharing = strategy == "none"};
  return checked(sharing, pool, of_profile);
}

/// Replicas of NVIDIA's device plugin: of the renamed resource, or of the plain one.
Sharing sharing_by_plugin(const Node& node, const Pool& pool,
                          const std::optional<GpuLabels>& labels) {
  if (pool.kind.kind == DeviceKind::vgpu) return {};
  if (pool.resource.starts_with("nvidia.com/mig-")) return sharing_of_profile(node, pool);
  Sharing sharing;
  if (labels && labels->vendor == Vendor::nvidia) sharing = labels->sharing;
  const bool is_unsaid = sharing.strategy == SharingStrategy::none;
  if (is_unsaid && !pool.kind.renamed) return {};
  if (is_unsaid) sharing.strategy = SharingStrategy::time_slicing;
  // A product that ends in -SHARED without a label of replicas: shared by an unknown number.
  if (sharing.replicas == 1) sharing.replicas.reset();
  return labels ? checked(sharing, pool, *labels) : sharing;
}

/// Intel's -shared-dev-num lets that many pods open each card, for all drivers alike.
Sharing sharing_by_intel(const Node& node, const std::optional<GpuLabels>& labels) {
  if (!labels || labels->vendor != Vendor::intel || !labels->cards) return {};
  const std::int64_t units = capped_sum(amount_of(node.capacity, "gpu.intel.com/i915").value(),
                                        amount_of(node.capacity, "gpu.intel.com/xe").value());
  if (units <= *labels->cards) return {};
  return {SharingStrategy::shared, shares_each(units, *labels->cards)};
}

}  // namespace

SharingStrategy sharing_scheduler(const Node& node, std::string_view resource) {
  for (const SharingStrategy strategy : {SharingStrategy::volcano, SharingStrategy::gpushare})
    if (is_shared_by(strategy, resource)) return strategy;
  const bool is_hami = is_managed_by_hami(node) && is_shared_by(SharingStrategy::hami, resource);
  return is_hami ? SharingStrategy::hami : SharingStrategy::none;
}

Sharing sharing_on(const Node& node, const Pool& pool, const std::optional<GpuLabels>& labels) {
  const SharingStrategy scheduler = sharing_scheduler(node, pool.resource);
  if (scheduler != SharingStrategy::none)
    return {scheduler, shared_cards_of(node, scheduler, {}, 0).units_per_card};
  if (pool.kind.vendor == Vendor::intel) return sharing_by_intel(node, labels);
  if (!is_nvidia_resource(pool.resource)) return {};
  return sharing_by_plugin(node, pool, labels);
}

}  // namespace gpu
