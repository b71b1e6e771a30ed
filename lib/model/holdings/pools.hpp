#pragma once

#include <vector>

#include "model/gpu/pool.hpp"
#include "model/pools/node_pools.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu {

class DraInventory;

/// All pools of one node of the snapshot, DRA's among them.
std::vector<Pool> pools_of(const Snapshot& snapshot, const DraInventory& dra, const Node& node);

/// All pools of the snapshot, by node and resource name.
std::vector<Pool> pools_of(const Snapshot& snapshot);

}  // namespace gpu
