#pragma once

#include <catch2/catch.hpp>
#include <string_view>
#include <vector>

#include "make.hpp"
#include "model/holdings/pools.hpp"

namespace gpu::make {

/// The pools of one node with these pods; what adds up in each is checked.
inline std::vector<Pool> pools(const Node& node, const std::vector<Pod>& pods = {}) {
  std::vector<Pool> pools = pools_of(snapshot({node}, pods));
  for (const Pool& pool : pools) {
    if (pool.total && pool.allocated && pool.free && pool.unavailable)
      CHECK(*pool.total == *pool.allocated + *pool.free + *pool.unavailable);
    if (pool.free_cards && pool.cards) CHECK(*pool.free_cards <= *pool.cards);
  }
  return pools;
}

/// The one pool of one node with these pods.
inline Pool only_pool(const Node& node, const std::vector<Pod>& pods = {}) {
  const std::vector<Pool> all = pools(node, pods);
  REQUIRE(all.size() == 1);
  return all.front();
}

/// Sets an amount in capacity and allocatable.
inline void advertise(Node& node, std::string_view resource, std::int64_t units) {
  node.capacity.set(resource, Quantity::of(units));
  node.allocatable.set(resource, Quantity::of(units));
}

}  // namespace gpu::make
