#pragma once

#include <vector>

#include "model/dra/dra_held.hpp"
#include "model/dra/dra_pool.hpp"
#include "model/objects/gap.hpp"

namespace gpu {

/// What of DRA no row can show: pools that the scheduler takes nothing of, devices of many nodes,
/// claims that hold devices which are published no more.
std::vector<Gap> gaps_of(const std::vector<DraPool>& pools, const DraHoldings& holdings);

}  // namespace gpu
