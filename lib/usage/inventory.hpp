#pragma once

#include <vector>

#include "model/dra.hpp"
#include "model/holding.hpp"
#include "model/pool.hpp"
#include "model/snapshot.hpp"

namespace gpu::usage {

/// Everything that a view counts from, worked out once: pools by node and resource, after them
/// those of nodes that were not seen, and who holds what of them. Refers to the snapshot.
struct Inventory {
  /// Holdings are known only as far as the snapshot keeps the pods that hold GPUs.
  explicit Inventory(const Snapshot& of);

  const Snapshot& snapshot;
  DraInventory dra;
  std::vector<Pool> pools;
  std::vector<Holding> holdings;
};

}  // namespace gpu::usage
