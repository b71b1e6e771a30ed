#pragma once

#include <vector>

#include "model/dra/dra_unit.hpp"

namespace gpu {

/// The pools that the units of one node make up: one for each driver, kind or profile, and model.
/// A reason of the node, if there is one, makes what is free unavailable, in `units` too.
/// `claim_coverage` says whether what is held is known.
std::vector<Pool> rows_of(std::vector<DraUnit>& units, Unavailable node_reason,
                          Coverage claim_coverage);

}  // namespace gpu
