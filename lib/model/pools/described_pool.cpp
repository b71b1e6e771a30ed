#include "model/pools/described_pool.hpp"

#include <algorithm>
#include <string>

#include "model/pools/physical_cards.hpp"
#include "model/pools/sharing.hpp"

namespace gpu {
namespace {

/// MIG single strategy and AMD's single naming hide parts of cards behind the name of the card.
GpuResource kind_on(std::string_view resource, const GpuResource& named,
                    const std::optional<GpuLabels>& labels) {
  GpuResource kind = named;
  if (!labels || named.kind != DeviceKind::card || labels->vendor != named.vendor) return kind;
  if (is_nvidia_resource(resource) && !labels->single_mig_profile.empty()) {
    kind.kind = DeviceKind::mig_slice;
    kind.profile = labels->single_mig_profile;
  } else if (resource == "amd.com/gpu" && !labels->partition.empty()) {
    kind.kind = DeviceKind::partition;
    kind.profile = labels->partition;
  }
  return kind;
}

std::string model_of(const GpuResource& kind, const std::string& card) {
  switch (kind.kind) {
    case DeviceKind::card:
    case DeviceKind::alias:
      return card;
    case DeviceKind::mig_slice:
    case DeviceKind::partition:
      return card.empty() ? kind.profile : family_of(card) + "-" + kind.profile;
    case DeviceKind::vgpu:
      return kind.profile;
  }
  return {};
}

/// What a sharing plugin registered tells the card where no label does: "NVIDIA-NVIDIA A10".
void name_by_registration(const Node& node, Pool& pool) {
  const auto card = std::find_if(
      node.shared_cards.begin(), node.shared_cards.end(),
      [&](const SharedCard& one) { return one.by == pool.sharing.strategy && !one.type.empty(); });
  const bool is_of_one_type =
      card != node.shared_cards.end() &&
      std::all_of(node.shared_cards.begin(), node.shared_cards.end(), [&](const SharedCard& one) {
        return one.by != card->by || one.type == card->type;
      });
  if (!is_of_one_type) return;
  pool.product = card->type;
  for (char& c : pool.product)
    if (c == ' ') c = '-';
  if (pool.product.starts_with("NVIDIA-NVIDIA-")) pool.product.erase(0, 7);
  pool.model = short_model(pool.product, card->memory_mib);
}

}  // namespace

Pool described_pool(const Node& node, std::string_view resource,
                    const std::optional<GpuLabels>& labels) {
  const GpuResource named = gpu_resource(resource).value_or(GpuResource{});
  Pool pool{.node = node.name,
            .resource = std::string(resource),
            .kind = kind_on(resource, named, labels)};
  // No API server accepts less than 0; a file may hold anything.
  pool.capacity = std::max<std::int64_t>(0, amount_of(node.capacity, resource).value());
  pool.allocatable = std::max<std::int64_t>(0, amount_of(node.allocatable, resource).value());
  pool.sharing = sharing_on(node, pool, labels);
  if (labels && labels->vendor == named.vendor) {
    pool.product = labels->product;
    // The memory that labels tell is then a partition's.
    const bool is_partition = pool.kind.kind == DeviceKind::partition;
    pool.model = model_of(
        pool.kind, is_partition ? short_model(labels->product, std::nullopt) : labels->model);
    pool.driver = labels->driver;
  } else {
    pool.model = pool.kind.profile;
  }
  if (pool.product.empty()) name_by_registration(node, pool);
  pool.cards = cards_behind(node, pool, labels);
  return pool;
}

}  // namespace gpu
