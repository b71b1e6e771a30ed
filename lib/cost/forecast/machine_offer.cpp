#include "cost/forecast/machine_offer.hpp"

#include <algorithm>
#include <utility>

#include "base/quantity.hpp"
#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/gpu_models.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::cost {
namespace {

constexpr std::string_view kMigOfLabel = "-MIG-";

/// A pool of the resource as the machine would have it; nothing where a unit may be any part of a
/// card.
std::optional<Pool> pool_of(const GpuRequest& request, const std::string& product) {
  Pool pool{.resource = request.resource, .product = product};
  const auto kind = gpu_resource(request.resource);
  if (request.units == 0 || (kind && (kind->renamed || kind->is_memory))) return std::nullopt;
  if (kind) pool.kind = *kind;
  const std::size_t slice = product.find(kMigOfLabel);
  if (slice != std::string::npos && pool.kind.kind == DeviceKind::card) {
    pool.kind.kind = DeviceKind::mig_slice;
    pool.kind.profile = product.substr(slice + kMigOfLabel.size());
  }
  return pool;
}

/// So many equal parts of cards.
struct Parts {
  CardPart part;
  std::int64_t units = 0;
  bool are_on_one_card = true;  ///< several may be of one card
};

/// MiB of a card of that product; nothing where cards of that name differ, or nobody says.
std::optional<std::int64_t> memory_of(const std::string& product) {
  const GpuModel* const model = find_gpu_model(card_product(product), std::nullopt);
  return product.empty() || model == nullptr ? std::nullopt : model->memory_mib;
}

/// What the requests are of cards of that product; nothing: not known.
using AllParts = std::vector<Parts>;
std::optional<AllParts> parts_of(const std::vector<GpuRequest>& gpus, const std::string& product,
                                 MigBy mig_by) {
  AllParts parts;
  for (const GpuRequest& request : gpus) {
    const std::optional<Pool> pool = pool_of(request, product);
    auto part = pool ? unit_part(*pool, mig_by) : std::nullopt;
    const auto of_each = request.part ? thousandths_of(*request.part, memory_of(product))
                                      : std::optional(kThousandths);
    if (!part || !of_each) return std::nullopt;
    if (request.part)
      part =
          CardPart{capped_product(part->parts, *of_each), capped_product(part->of, kThousandths)};
    parts.push_back({*part, request.units, !request.part});
  }
  return parts;
}

double cards_in(const AllParts& parts) {
  double cards = 0;
  for (const auto& [part, units, are_on_one_card] : parts)
    cards +=
        static_cast<double>(units) * static_cast<double>(part.parts) / static_cast<double>(part.of);
  return cards;
}

/// Whole cards that the parts need at the least.
std::int64_t whole_cards(const AllParts& parts) {
  std::int64_t cards = 0;
  for (const auto& [part, units, are_on_one_card] : parts)
    cards = capped_sum(cards, are_on_one_card
                                  ? (capped_product(units, part.parts) + part.of - 1) / part.of
                                  : units);
  return std::max<std::int64_t>(1, cards);
}

Money share_of(Money node, const AllParts& parts, std::int64_t cards) {
  Money sum;
  for (const auto& [part, units, are_on_one_card] : parts)
    sum += gpu::share_of(node, Int128{units} * part.parts, Int128{cards} * part.of);
  return sum;
}

void take_price(MachineOffer& offer, const NodePrice& price) {
  offer.capacity = price.capacity.type;
  offer.source = price.source;
  offer.price_rule = price.rule;
  offer.as_of = price.as_of;
  offer.is_estimate = price.is_estimate;
  offer.is_upper_bound = price.is_upper_bound;
}

}  // namespace

StringMap with_capacity(const StringMap& labels, CapacityType type) {
  StringMap made;
  for (const auto& [key, value] : labels)
    if (capacity_of({{key, value}}).evidence.empty()) made.set(key, value);
  made.set("karpenter.sh/capacity-type", std::string(name_of(type)));
  return made;
}

std::optional<Money> spot_hour_of(Money hour, const PricedNode& node, const NodePrice& price,
                                  const PriceBook& prices) {
  if (price.capacity.type == CapacityType::spot || !price.per_hour || price.per_hour->nano <= 0)
    return std::nullopt;
  const StringMap labels = with_capacity(*node.labels, CapacityType::spot);
  PricedNode as_spot = node;
  as_spot.labels = &labels;
  const NodePrice spot = prices.price(as_spot);
  const bool is_known = spot.per_hour && !spot.is_upper_bound && *spot.per_hour < *price.per_hour;
  if (!is_known) return std::nullopt;
  return gpu::share_of(hour, spot.per_hour->nano, price.per_hour->nano);
}

MachineOffer offer_on(const FutureMachine& machine, const std::vector<GpuRequest>& gpus,
                      const PriceBook& prices, MigBy mig_by) {
  MachineOffer offer;
  offer.type = std::string(value_of(machine.labels, "node.kubernetes.io/instance-type"));
  offer.model = machine.product.empty() ? "" : short_model(card_product(machine.product), {});
  const auto parts = parts_of(gpus, machine.product, mig_by);
  PricedNode node{.labels = &machine.labels,
                  .provider_id = machine.provider_id,
                  .product = card_product(machine.product)};
  if (machine.cards > 0) node.cards = machine.cards;
  // A machine that nobody knows has the cards that the pod needs, unless a table knows better.
  const bool is_of_parts = std::any_of(
      gpus.begin(), gpus.end(), [](const GpuRequest& request) { return request.part.has_value(); });
  if (machine.cards == 0 && (parts || is_of_parts) && !prices.price(node).cards)
    node.cards = parts ? whole_cards(*parts) : 1;
  const NodePrice price = prices.price(node);
  take_price(offer, price);
  if (!parts) return offer;
  offer.cards = cards_in(*parts);
  const std::int64_t cards = price.cards.value_or(node.cards.value_or(0));
  if (!price.per_hour || cards < whole_cards(*parts)) return offer;
  offer.hour = share_of(*price.per_hour, *parts, cards);
  offer.spot_hour = spot_hour_of(*offer.hour, node, price, prices);
  return offer;
}

}  // namespace gpu::cost
