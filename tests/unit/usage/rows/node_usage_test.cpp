#include "usage/rows/node_usage.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"
#include "usage/rows/unit.hpp"

namespace rows_node_usage_test {

using namespace gpu;
using namespace gpu::usage;

TEST_CASE("cards, slices and shares are totalled apart") {
  Node shared = make::node("s", 10);
  shared.labels = {{"nvidia.com/gpu.product", "Tesla-T4-SHARED"},
                   {"nvidia.com/gpu.replicas", "10"}};
  const auto rows = node_usage(Inventory(
      make::snapshot({make::node("a", 8), make::node("m", 14, "nvidia.com/mig-1g.10gb"), shared,
                      make::node("t", 4, "google.com/tpu")},
                     {make::pod("x", "a", 6), make::pod("y", "m", 9, "nvidia.com/mig-1g.10gb")})));
  const auto totals = usage_totals(rows);
  REQUIRE(totals.size() == 4);
  CHECK(totals[0].label == "GPUs");
  CHECK(totals[0].total == 8);
  CHECK(totals[0].free == 2);
  CHECK(totals[1].label == "MIG");
  CHECK(totals[1].allocated == 9);
  CHECK(totals[2].label == "Shares");
  CHECK(totals[2].total == 10);
  CHECK(totals[3].label == "TPUs");
}

TEST_CASE("one unknown makes the sum unknown") {
  Snapshot snapshot = make::snapshot({make::node("a", 8)}, {});
  snapshot.pod_coverage = Coverage::none;
  const auto totals = usage_totals(node_usage(Inventory(snapshot)));
  CHECK(totals[0].total == 8);
  CHECK_FALSE(totals[0].allocated);
  CHECK_FALSE(totals[0].free);
}

TEST_CASE("a node that promises an unknown number is counted apart") {
  Node silent = make::node("b", 0);
  silent.labels = {{"nvidia.com/gpu.present", "true"}};
  const auto rows = node_usage(Inventory(make::snapshot({make::node("a", 8), silent}, {})));
  CHECK(rows[1].state == NodeState::no_plugin);
  const auto totals = usage_totals(rows);
  CHECK(totals[0].total == 8);
  CHECK(totals[0].unavailable == 0);
  CHECK(totals[0].nodes_of_unknown_total == 1);
}

TEST_CASE("instance type and zone, by new and old labels") {
  Node node = make::node("a", 1);
  node.labels = {{"beta.kubernetes.io/instance-type", "p4d"},
                 {"topology.kubernetes.io/zone", "z1"},
                 {"failure-domain.beta.kubernetes.io/zone", "old"}};
  const auto rows = node_usage(Inventory(make::snapshot({node}, {})));
  CHECK(rows[0].instance_type == "p4d");
  CHECK(rows[0].zone == "z1");
}

TEST_CASE("nodes that claim all that 64 bits hold do not overflow the totals") {
  constexpr std::int64_t kMost = INT64_MAX;
  const auto snapshot = make::snapshot({make::node("a", kMost), make::node("b", kMost)},
                                       {make::pod("x", "", kMost), make::pod("y", "", kMost)});
  const auto totals = usage_totals(node_usage(Inventory(snapshot)));
  CHECK(totals[0].total == kMost);
  CHECK(totals[0].free == kMost);
  REQUIRE(snapshot.waiting);
  CHECK(snapshot.waiting->pods == 2);
  CHECK(snapshot.waiting->gpus == kMost);
}

TEST_CASE("GiB of cards are never added to shares") {
  Node slots = make::node("s", 10, "volcano.sh/vgpu-number");
  const auto rows =
      node_usage(Inventory(make::snapshot({make::node("g", 60, "aliyun.com/gpu-mem"), slots},
                                          {make::pod("x", "g", 8, "aliyun.com/gpu-mem"),
                                           make::pod("y", "s", 1, "volcano.sh/vgpu-number")})));
  const auto totals = usage_totals(rows);
  REQUIRE(totals.size() == 2);
  CHECK(totals[0].label == "GPU memory GiB");
  CHECK(totals[0].total == 60);
  CHECK(totals[0].allocated == 8);
  CHECK(totals[1].label == "Shares");
  CHECK(totals[1].total == 10);
  CHECK(name_of(unit_of(rows[0].pool)) == "gib");
  CHECK(amount_text(1, Unit::gib) == "1 GiB");
  CHECK(amount_text(8, Unit::gib) == "8 GiB");
}

}  // namespace rows_node_usage_test
