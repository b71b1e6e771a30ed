#include "model/holdings/unseen_pools.hpp"

#include <algorithm>
#include <utility>

namespace gpu {
namespace {

/// A node without labels and conditions would be taken at its word: all that it says is dropped.
Pool without_counts(Pool pool) {
  pool.capacity = pool.allocatable = 0;
  for (auto* const count : {&pool.cards, &pool.free_cards, &pool.total, &pool.allocated,
                            &pool.at_least, &pool.free, &pool.unavailable})
    count->reset();
  pool.reason = Unavailable::none;
  return pool;
}

}  // namespace

std::vector<Pool> pools_of_unseen_nodes(const Snapshot& snapshot) {
  std::vector<Pool> pools;
  if (snapshot.node_coverage != Coverage::none) return pools;
  for (const auto& [name, sums] : snapshot.sums) {
    const bool is_seen = std::any_of(snapshot.nodes.begin(), snapshot.nodes.end(),
                                     [&](const Node& node) { return node.name == name; });
    if (is_seen) continue;
    const Node unseen{.name = name};
    for (Pool& pool : pools_of(unseen, &sums, Coverage::none))
      pools.push_back(without_counts(std::move(pool)));
  }
  return pools;
}

}  // namespace gpu
