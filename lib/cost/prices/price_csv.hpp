#pragma once

#include <string_view>

#include "cost/prices/price_rule.hpp"

namespace gpu::cost {

/// The rules of a price file of OpenCost (`EndTimestamp,InstanceID,Region,AssetClass,...`), the
/// newest first. Throws Error{usage} with the line of what is wrong.
PriceRules rules_in_csv(std::string_view text, std::string_view name);

}  // namespace gpu::cost
