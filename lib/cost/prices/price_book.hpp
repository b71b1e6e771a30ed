#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cost/prices/price.hpp"
#include "cost/prices/price_rule.hpp"
#include "cost/prices/rule_offer.hpp"
#include "model/objects/gap.hpp"

namespace gpu::cost {

/// One rule that was checked for a node, in the order of precedence: `--explain-price`.
struct PriceStep {
  PriceSource source = PriceSource::none;
  std::string rule;     ///< as NodePrice::rule; empty: no rule of this source
  std::string outcome;  ///< "no row for aws p9.48xlarge", "18.00 $/h", "not needed: 21.50 $/h"
  bool won = false;
};

/// All prices that are known: the built-in table, and the user's rules.
class PriceBook {
 public:
  /// The built-in table alone.
  PriceBook() = default;

  /// Rules of --price and --prices, with their gaps. Those added first win among equals.
  void add(PriceRules rules);

  [[nodiscard]] NodePrice price(const PricedNode& node) const;
  /// Every source in the order of precedence, and its result for the node.
  [[nodiscard]] std::vector<PriceStep> steps(const PricedNode& node) const;
  /// What the user gave and is not among `winners`, which are rules as in NodePrice: each --price,
  /// and each file of which no rule won.
  [[nodiscard]] std::vector<std::string> unused(const std::set<std::string>& winners) const;
  /// Mistakes in price files that leave the rest of the file usable.
  [[nodiscard]] const std::vector<Gap>& gaps() const { return gaps_; }

 private:
  /// By source, key and name, then as they were added.
  std::vector<ReadyRule> rules_;
  std::vector<Gap> gaps_;
};

}  // namespace gpu::cost
