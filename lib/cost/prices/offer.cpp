#include "cost/prices/offer.hpp"

#include <utility>

namespace gpu::cost {

Offer offer_of(const NodeFacts& facts, PriceSource source) {
  Offer offer;
  offer.price.source = source;
  offer.price.capacity = facts.capacity;
  if (facts.instance != nullptr && facts.instance->gpus > 0)
    offer.price.cards = facts.instance->gpus;
  return offer;
}

Offer no_offer(const NodeFacts& facts, PriceSource source, std::string why_not) {
  Offer offer = offer_of(facts, source);
  offer.why_not = std::move(why_not);
  return offer;
}

}  // namespace gpu::cost
