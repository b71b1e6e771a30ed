#pragma once

#include "cost/prices/offer.hpp"

namespace gpu::cost {

/// The table's price for the instance type and region of the node.
Offer region_offer(const NodeFacts& facts);

/// The table's price for its instance type in another region, or where its region is not known.
Offer other_region_offer(const NodeFacts& facts);

/// The median of all providers for a GPU of its model, times its GPUs.
Offer median_offer(const NodeFacts& facts);

}  // namespace gpu::cost
