#include "model/holdings/pools.hpp"

#include <utility>

#include "model/dra/dra.hpp"
#include "model/pools/node_pools.hpp"

namespace gpu {

std::vector<Pool> pools_of(const Snapshot& snapshot, const DraInventory& dra, const Node& node) {
  std::vector<Pool> pools = pools_of(node, sums_of(snapshot, node.name), snapshot.pod_coverage);
  dra.join(node, pools);
  return pools;
}

std::vector<Pool> pools_of(const Snapshot& snapshot) {
  const DraInventory dra(snapshot);
  std::vector<Pool> all;
  for (const Node& node : snapshot.nodes)
    for (Pool& pool : pools_of(snapshot, dra, node)) all.push_back(std::move(pool));
  return all;
}

}  // namespace gpu
