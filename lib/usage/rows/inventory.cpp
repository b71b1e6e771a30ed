#include "usage/rows/inventory.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "model/holdings/unseen_pools.hpp"
#include "usage/devices/listed.hpp"
#include "usage/rows/use_findings.hpp"

namespace gpu::usage {
namespace {

std::vector<Pool> all_pools(const Snapshot& snapshot, const DraInventory& dra) {
  std::vector<Pool> all;
  for (const Node& node : snapshot.nodes)
    for (Pool& pool : pools_of(snapshot, dra, node)) all.push_back(std::move(pool));
  for (Pool& pool : pools_of_unseen_nodes(snapshot)) all.push_back(std::move(pool));
  return all;
}

/// What is told to use more memory than the labels of its node, or a driver, say it has. Of a
/// device that several pools may have, the most counts.
std::set<const DeviceUse*> overfull(const std::vector<PoolDevices>& pools) {
  std::map<const DeviceUse*, std::int64_t> memory;
  for (const PoolDevices& pool : pools)
    for (const PoolDevice& device : pool.devices)
      if (device.live != nullptr && device.memory_bytes)
        memory[device.live] = std::max(memory[device.live], *device.memory_bytes);
  std::set<const DeviceUse*> found;
  for (const auto& [device, bytes] : memory) {
    const Measures& told = device->sample.measures;
    if (told.memory_used_bytes > bytes || told.highest_memory_bytes > bytes) found.insert(device);
  }
  return found;
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
  UseFindings findings;
  const bool may_lack_pods = snapshot.pod_coverage == Coverage::partial &&
                             gap_of(snapshot.gaps, Missing::pods_of_file) != nullptr;
  std::vector<std::string> too_full;
  std::vector<std::string> full_nodes;
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
    for (std::string& text : live.forget_memory(pools[begin].node, overfull(joined_here))) {
      too_full.push_back(std::move(text));
      full_nodes.push_back(pools[begin].node);
    }
    for (std::size_t i = 0; i < joined_here.size(); ++i) {
      joined_here[i].may_lack_pods = may_lack_pods;
      attribute(joined_here[i], *of_node.pools[i], of_node.holdings[i]);
      gaps.look_at(*of_node.pools[i], joined_here[i], live.devices_on(of_node.pools[i]->node));
      if (!of_node.pools[i]->is_second_view)
        findings.look_at(*of_node.pools[i], joined_here[i],
                         sums_of(snapshot, of_node.pools[i]->node));
    }
    for (const PoolUse& use : pool_uses(of_node, joined_here, live)) {
      uses.push_back(use.all);
      open_uses.push_back(use.open);
    }
    std::move(joined_here.begin(), joined_here.end(), std::back_inserter(devices));
    begin = end;
  }
  live.add_gaps(findings.gaps());
  silent_values = findings.gaps_of_silence();
  live.add_gaps(gaps.gaps());
  if (!too_full.empty())
    live.add_gaps({{.what = counted(too_full.size(), "GPU is", "GPUs are") +
                            " reported to use more memory than there is",
                    .why = listed(too_full),
                    .help = "",
                    .nodes = std::move(full_nodes)}});
}

}  // namespace gpu::usage
