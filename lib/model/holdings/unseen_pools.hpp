#pragma once

#include <vector>

#include "model/holdings/pools.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu {

/// Pools of nodes of which nothing was read, made of what pods there request: how many units there
/// are, on which cards, and whether they are shares of these is unknown. None where nodes were
/// seen.
std::vector<Pool> pools_of_unseen_nodes(const Snapshot& snapshot);

}  // namespace gpu
