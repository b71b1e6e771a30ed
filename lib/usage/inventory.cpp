#include "usage/inventory.hpp"

#include <algorithm>
#include <iterator>
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

std::size_t live_count(const PoolDevices& devices) {
  return static_cast<std::size_t>(
      std::count_if(devices.devices.begin(), devices.devices.end(),
                    [](const PoolDevice& device) { return device.live != nullptr; }));
}

}  // namespace

Inventory::Inventory(const Snapshot& of, const std::optional<Time>& now)
    : snapshot(of),
      dra(of),
      pools(all_pools(of, dra)),
      holdings(of.pods.empty() && of.claims.empty() ? std::vector<Holding>{}
                                                    : holdings_of(of, dra, pools)),
      live(of, now) {
  join_devices();
}

void Inventory::join_devices() {
  std::vector<std::vector<const Holding*>> holders(pools.size());
  for (const Holding& holding : holdings) holders.at(holding.pool).push_back(&holding);
  const Node unseen;
  PoolGaps gaps;
  auto node = snapshot.nodes.begin();
  // Pools follow their nodes; those of nodes that were not seen come last.
  for (std::size_t begin = 0; begin < pools.size();) {
    while (node != snapshot.nodes.end() && node->name != pools[begin].node) ++node;
    NodePools of_node{.node = node == snapshot.nodes.end() ? &unseen : &*node};
    std::size_t end = begin;
    for (; end < pools.size() && pools[end].node == pools[begin].node; ++end) {
      of_node.pools.push_back(&pools[end]);
      of_node.holdings.push_back(std::move(holders[end]));
    }
    std::vector<PoolDevices> joined_here = joined(of_node, live, dra);
    for (std::size_t i = 0; i < joined_here.size(); ++i) {
      const std::size_t told = live_count(joined_here[i]);
      attribute(joined_here[i], *of_node.pools[i], of_node.holdings[i]);
      gaps.look_at(*of_node.pools[i], joined_here[i], told,
                   live.devices_on(of_node.pools[i]->node));
    }
    for (const PoolUse& use : pool_uses(of_node, joined_here, live)) {
      uses.push_back(use.all);
      open_uses.push_back(use.open);
    }
    std::move(joined_here.begin(), joined_here.end(), std::back_inserter(devices));
    begin = end;
  }
  live.add_gaps(gaps.gaps());
}

}  // namespace gpu::usage
