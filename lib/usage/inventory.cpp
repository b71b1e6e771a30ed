#include "usage/inventory.hpp"

#include <utility>

#include "model/unseen_pools.hpp"

namespace gpu::usage {
namespace {

std::vector<Pool> all_pools(const Snapshot& snapshot, const DraInventory& dra) {
  std::vector<Pool> all;
  for (const Node& node : snapshot.nodes)
    for (Pool& pool : pools_of(snapshot, dra, node)) all.push_back(std::move(pool));
  for (Pool& pool : pools_of_unseen_nodes(snapshot)) all.push_back(std::move(pool));
  return all;
}

}  // namespace

Inventory::Inventory(const Snapshot& of, const std::optional<Time>& now)
    : snapshot(of),
      dra(of),
      pools(all_pools(of, dra)),
      holdings(of.pods.empty() && of.claims.empty() ? std::vector<Holding>{}
                                                    : holdings_of(of, dra, pools)),
      live(of, now),
      uses(pools.size()) {}

}  // namespace gpu::usage
