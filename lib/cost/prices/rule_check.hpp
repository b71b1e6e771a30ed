#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"
#include "cost/prices/price_rule.hpp"

namespace gpu::cost {

/// A gap for a rule by a model that the table does not have: it may be misspelt.
std::optional<Gap> unknown_model(const PriceRule& rule);

/// A gap for a rule of an owned GPU whose power is not known.
std::optional<Gap> unknown_watts(const PriceRule& rule);

/// Removes rules that select the same nodes as an earlier one, and second prices of a rule: a price
/// of the node wins over one of a GPU, and that over `owned`. Adds a gap for each, and for other
/// doubtful rules.
void check_rules(PriceRules& rules);

/// Adds a gap if prices have a date that has not begun anywhere at `now`: such prices cannot be
/// known.
void check_dates(PriceRules& rules, Time now);

}  // namespace gpu::cost
