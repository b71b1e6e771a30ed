#include "usage/rows/namespace_usage.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace rows_namespace_usage_test {

using namespace gpu;
using namespace gpu::usage;

namespace {

Node shared_node(std::string_view name, const char* replicas) {
  Node node = make::node(std::string(name), 20);
  node.labels = {{"nvidia.com/gpu.product", "Tesla-T4-SHARED"},
                 {"nvidia.com/gpu.replicas", replicas}};
  return node;
}

}  // namespace

TEST_CASE("a quarter of a card is never added to a tenth of one") {
  const Snapshot snapshot = make::snapshot({shared_node("a", "4"), shared_node("b", "10")},
                                           {make::pod("x", "a", 3), make::pod("y", "b", 2)});
  const Inventory inventory(snapshot);
  const auto usages = namespace_usage(pod_usage(inventory));
  REQUIRE(usages.size() == 2);
  CHECK(usages[0].pool->sharing.replicas == 4);
  CHECK(usages[0].units == 3);
  CHECK(usages[1].pool->sharing.replicas == 10);
  CHECK(usages[1].units == 2);
}

}  // namespace rows_namespace_usage_test
