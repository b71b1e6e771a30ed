#pragma once

#include <vector>

#include "cost/prices/offer.hpp"
#include "cost/prices/price_rule.hpp"

namespace gpu::cost {

/// A rule of the user, and the models that its name of a model stands for.
struct ReadyRule {
  PriceRule rule;
  std::vector<const GpuModel*> models;
};

ReadyRule ready(PriceRule rule);

/// Whether the rule speaks of the node.
bool picks(const ReadyRule& ready, const NodeFacts& facts);

/// What a rule that picks the node says of it.
Offer rule_offer(const ReadyRule& ready, const NodeFacts& facts);

/// What each annotation or label that holds a price says of the node.
std::vector<Offer> annotation_offers(const NodeFacts& facts);

}  // namespace gpu::cost
