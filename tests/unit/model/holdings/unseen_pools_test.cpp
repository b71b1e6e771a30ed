#include "model/holdings/unseen_pools.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"
#include "model/holdings/holding.hpp"

namespace holdings_unseen_pools_test {

using namespace gpu;

TEST_CASE("of nodes that were not read, pods' requests are all that is known") {
  Snapshot snapshot =
      make::snapshot({}, {make::pod("x", "a", 2), make::pod("y", "b", 3, "nvidia.com/mig-1g.10gb"),
                          make::pod("z", "c", 0)});
  snapshot.node_coverage = Coverage::none;
  const std::vector<Pool> pools = pools_of_unseen_nodes(snapshot);
  REQUIRE(pools.size() == 2);
  CHECK(pools[0].node == "a");
  CHECK(pools[1].resource == "nvidia.com/mig-1g.10gb");
  CHECK(pools[0].model.empty());
  CHECK(pools[1].model == "1g.10gb");  // the name says it, but not of which card
  for (const Pool& pool : pools) {
    CHECK_FALSE(pool.total);
    CHECK_FALSE(pool.allocated);
    CHECK_FALSE(pool.free);
    CHECK_FALSE(pool.unavailable);
    CHECK(pool.reason == Unavailable::none);
  }
  const std::vector<Holding> holdings = holdings_of(snapshot, pools);
  REQUIRE(holdings.size() == 2);
  CHECK(holdings[1].units == 3);
}

TEST_CASE("a node that was seen, or that is gone while others were seen, is not made up") {
  Snapshot snapshot = make::snapshot({}, {make::pod("x", "a", 2)});
  CHECK(pools_of_unseen_nodes(snapshot).empty());
  snapshot.node_coverage = Coverage::none;
  snapshot.nodes = {make::node("a", 8)};
  CHECK(pools_of_unseen_nodes(snapshot).empty());
}

}  // namespace holdings_unseen_pools_test
