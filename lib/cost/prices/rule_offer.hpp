#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cost/prices/offer.hpp"
#include "cost/prices/price_rule.hpp"

namespace gpu::cost {

/// A rule of the user, and the keys by which it is found.
struct ReadyRule {
  PriceRule rule;
  std::vector<const GpuModel*> models;  ///< that its name of a model means
  /// The name by which it is found among rules of its key: the name of the node, the first of its
  /// labels, or the instance type in small letters; empty if each rule must be checked.
  std::string name;
  std::size_t order = 0;  ///< those that are added first win
};

ReadyRule ready(PriceRule rule);

/// The names of rules of `key` that may apply to the node.
std::vector<std::string> names_for(PriceKey key, const NodeFacts& facts);

/// Whether the rule applies to the node.
bool picks(const ReadyRule& ready, const NodeFacts& facts);

/// What a rule that picks the node says of it.
Offer rule_offer(const ReadyRule& ready, const NodeFacts& facts);

/// The offers of all annotations and labels of the node that contain a price.
std::vector<Offer> annotation_offers(const NodeFacts& facts);

}  // namespace gpu::cost
