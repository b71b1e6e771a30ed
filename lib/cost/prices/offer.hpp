#pragma once

#include <string>
#include <vector>

#include "cost/prices/node_facts.hpp"
#include "cost/prices/price.hpp"

namespace gpu::cost {

/// What one rule gives for a node: a price, or the reason why it has none.
struct Offer {
  NodePrice price;      ///< `per_hour` is nothing if there is no price
  std::string why_not;  ///< "no row for aws p9.48xlarge"
};

/// An offer of `source` with what every price of the node says, and no price yet.
Offer offer_of(const NodeFacts& facts, PriceSource source);

/// The same without a price, because of `why_not`.
Offer no_offer(const NodeFacts& facts, PriceSource source, std::string why_not);

}  // namespace gpu::cost
