#pragma once

#include <string_view>

#include "cost/prices/price_rule.hpp"

namespace gpu::cost {

/// The rules of a price file in our YAML, in the order of the file. Throws Error{usage} with the
/// line of what is wrong.
PriceRules rules_in_yaml(std::string_view text, std::string_view name);

}  // namespace gpu::cost
