#pragma once

#include <vector>

#include "model/dra/dra.hpp"
#include "model/holdings/holding.hpp"

namespace gpu {

/// What the ResourceClaims of `snapshot` hold of those of `pools` that DRA hands out.
std::vector<Holding> claim_holdings(const Snapshot& snapshot, const DraInventory& dra,
                                    const std::vector<Pool>& pools);

}  // namespace gpu
