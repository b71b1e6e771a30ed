#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cost/prices/offer.hpp"
#include "cost/prices/price_rule.hpp"

namespace gpu::cost {

/// A rule of the user, and what it is looked up by.
struct ReadyRule {
  PriceRule rule;
  std::vector<const GpuModel*> models;  ///< that its name of a model stands for
  /// By which it is found among others of its key: the name of the node, the first of its labels,
  /// or the instance type in small letters; empty where each rule has to be looked at.
  std::string name;
  std::size_t order = 0;  ///< those that are added first win
};

ReadyRule ready(PriceRule rule);

/// The names of rules of `key` that may pick the node.
std::vector<std::string> names_for(PriceKey key, const NodeFacts& facts);

/// Whether the rule speaks of the node.
bool picks(const ReadyRule& ready, const NodeFacts& facts);

/// What a rule that picks the node says of it.
Offer rule_offer(const ReadyRule& ready, const NodeFacts& facts);

/// What each annotation or label that holds a price says of the node.
std::vector<Offer> annotation_offers(const NodeFacts& facts);

}  // namespace gpu::cost
