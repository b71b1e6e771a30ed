#include "cost/forecast/node_offers.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "base/ascii.hpp"
#include "base/money.hpp"
#include "base/quantity.hpp"
#include "cost/rows/cost_row.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/pools/toleration.hpp"
#include "model/snapshot/gpu_fraction.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::cost {
namespace {

bool is_chosen(const Pod& pod, const Node& node) {
  for (const auto& [key, value] : pod.node_selector) {
    const std::string* const has = node.labels.find(key);
    if (has == nullptr || *has != value) return false;
  }
  return !pod.placement.node_affinity || matches(*pod.placement.node_affinity, node);
}

/// A node that is ill or cordoned costs what it costs when it is well.
bool is_tolerated(const Pod& pod, const Node& node) {
  const std::vector<const Taint*> taints = untolerated(pod.tolerations, node);
  return std::all_of(taints.begin(), taints.end(), [](const Taint* taint) {
    return is_health_taint(*taint) || lifecycle_of(*taint) != Unavailable::none;
  });
}

/// Whether the whole node has all that the pod requests; nobody says how much of a resource there
/// is that it does not list, unless it is one of devices.
bool has_room(const ResourceList& requests, const Node& node) {
  for (const auto& [resource, amount] : requests) {
    if (is_of_part(resource)) continue;  // its scheduler knows
    const bool is_of_devices = resource.find('/') != std::string::npos;
    const Quantity* const there = (is_of_devices ? node.capacity : node.allocatable).find(resource);
    if (there == nullptr && is_of_devices && amount.value() > 0) return false;
    if (there != nullptr && *there < amount) return false;
  }
  return true;
}

const Pool* pool_for(const GpuRequest& request, const GpuNode& facts) {
  if (request.units == 0) return nullptr;
  const PoolSource source = request.is_claimed ? PoolSource::dra : PoolSource::device_plugin;
  for (const Pool* pool : facts.pools)
    if (pool->resource == request.resource && pool->source == source &&
        pool->total.value_or(0) >= request.units)
      return pool;
  return nullptr;
}

/// A sharing scheduler decides what part of a card a pod gets.
bool is_handed_out_in_parts(const Pool& pool) {
  return pool.sharing.strategy == SharingStrategy::hami ||
         pool.sharing.strategy == SharingStrategy::volcano;
}

/// Units of the pool that are one GPU; nothing where GPUs differ in them.
std::optional<std::int64_t> units_of_gpu(const Pool& pool) {
  if (!is_handed_out_in_parts(pool)) return 1;
  if (pool.sharing.replicas) return pool.sharing.replicas;
  const bool is_even = pool.cards && *pool.cards > 0 && pool.capacity % *pool.cards == 0;
  return is_even ? std::optional(pool.capacity / *pool.cards) : std::nullopt;
}

/// MiB of each GPU that parts are of: as the plugin of a sharing scheduler registered them, else by
/// the label. Nothing where they differ, or nobody says.
std::optional<std::int64_t> memory_of_gpus(const Node& node, const Pool& pool) {
  if (!is_handed_out_in_parts(pool)) return whole_number(value_of(node.labels, kGpuMemoryLabel));
  std::optional<std::int64_t> memory;
  for (const SharedCard& card : node.shared_cards) {
    if (card.by != pool.sharing.strategy) continue;
    if (memory && *memory != card.memory_mib) return std::nullopt;
    memory = card.memory_mib;
  }
  return memory;
}

/// GPUs, and what they cost; nothing: not known.
struct Priced {
  std::optional<Money> hour;
  std::optional<double> cards;
};

Priced price_of(const GpuRequest& request, const Pool& pool, const Ledger::Entry& entry) {
  // What a pod gets of a card of which it names no part, HAMi's configuration decides.
  if (!request.part && is_handed_out_in_parts(pool)) return {};
  if (!request.part)
    return {entry.ledger.rate(pool, request.units), entry.ledger.cards_in(pool, request.units)};
  const auto part = thousandths_of(*request.part, memory_of_gpus(*entry.facts.node, pool));
  const auto each = units_of_gpu(pool);
  if (!part || !each) return {};
  const std::int64_t units = capped_product(request.units, *each);
  const std::optional<Money> hour = entry.ledger.rate(pool, units);
  const std::optional<double> cards = entry.ledger.cards_in(pool, units);
  Priced priced;
  if (hour) priced.hour = gpu::share_of(*hour, *part, kThousandths);
  if (cards) priced.cards = *cards * static_cast<double>(*part) / static_cast<double>(kThousandths);
  return priced;
}

/// What the requests come to on one node; nothing where it lacks one of them.
std::optional<MachineOffer> offer_of(const std::vector<GpuRequest>& gpus,
                                     const Ledger::Entry& entry) {
  MachineOffer offer{.hour = Money{}, .cards = 0.0};
  for (const GpuRequest& request : gpus) {
    const Pool* const pool = pool_for(request, entry.facts);
    if (pool == nullptr) return std::nullopt;
    const auto [rate, cards] = price_of(request, *pool, entry);
    offer.hour = offer.hour && rate ? std::optional(*offer.hour + *rate) : std::nullopt;
    offer.cards = offer.cards && cards ? std::optional(*offer.cards + *cards) : std::nullopt;
  }
  return offer;
}

void describe(MachineOffer& offer, const Ledger::Entry& entry) {
  const NodePrice& price = entry.ledger.price();
  const StringMap& labels = entry.facts.node->labels;
  offer.type = std::string(value_of(labels, "node.kubernetes.io/instance-type"));
  if (offer.type.empty())
    offer.type = std::string(value_of(labels, "beta.kubernetes.io/instance-type"));
  offer.model = card_model(entry.facts);
  offer.nodes = 1;
  offer.capacity = price.capacity.type;
  offer.source = price.source;
  offer.price_rule = price.rule;
  offer.as_of = price.as_of;
  offer.is_estimate = price.is_estimate;
  offer.is_upper_bound = price.is_upper_bound;
}

auto key_of(const MachineOffer& offer) {
  return std::tie(offer.type, offer.model, offer.capacity, offer.hour, offer.source);
}

}  // namespace

std::vector<MachineOffer> node_offers(const Pod& pod, const std::vector<GpuRequest>& gpus,
                                      const Ledger& ledger, const PriceBook& prices) {
  const ResourceList requests = effective_requests(pod);
  std::vector<MachineOffer> offers;
  for (const Ledger::Entry& entry : ledger.nodes()) {
    const Node* const node = entry.facts.node;
    if (node == nullptr || !is_chosen(pod, *node) || !is_tolerated(pod, *node)) continue;
    if (!has_room(requests, *node)) continue;
    std::optional<MachineOffer> offer = offer_of(gpus, entry);
    if (!offer) continue;
    describe(*offer, entry);
    const auto same = std::find_if(offers.begin(), offers.end(), [&](const MachineOffer& each) {
      return key_of(each) == key_of(*offer);
    });
    if (same != offers.end()) {
      ++same->nodes;
      continue;
    }
    if (offer->hour)
      offer->spot_hour =
          spot_hour_of(*offer->hour, priced_node(entry.facts), entry.ledger.price(), prices);
    offers.push_back(*std::move(offer));
  }
  return offers;
}

}  // namespace gpu::cost
