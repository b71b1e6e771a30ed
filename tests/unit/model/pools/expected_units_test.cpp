#include "model/pools/expected_units.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "make.hpp"
#include "model/pools/node_pools.hpp"

namespace pools_expected_units_test {

using namespace gpu;

namespace {

Pool only_pool(const Node& node, std::int64_t held = 0) {
  NodeSums sums;
  sums.requested.set("nvidia.com/gpu", Quantity::of(held));
  const std::vector<Pool> pools = pools_of(node, &sums, Coverage::whole);
  REQUIRE(pools.size() == 1);
  return pools.front();
}

}  // namespace

TEST_CASE("fewer cards are advertised than a label or the instance type tells of") {
  struct Row {
    std::string key, value, told_by;
  };
  const Row row = GENERATE(
      Row{"nvidia.com/gpu.count", "8", "nvidia.com/gpu.count=8"},
      Row{"karpenter.k8s.aws/instance-gpu-count", "8", "karpenter.k8s.aws/instance-gpu-count=8"},
      Row{"cloud.google.com/gke-accelerator-count", "8",
          "cloud.google.com/gke-accelerator-count=8"},
      Row{"node.kubernetes.io/instance-type", "p5.48xlarge", "instance type p5.48xlarge"});
  CAPTURE(row.key);
  Node node = make::node("a", 7);
  node.labels = {{"nvidia.com/gpu.present", "true"}, {row.key, row.value}};
  const Pool pool = only_pool(node, 5);
  CHECK(pool.expected == 8);
  CHECK(pool.expected_by == row.told_by);
  CHECK(pool.total == 8);
  CHECK(pool.allocated == 5);
  CHECK(pool.free == 2);
  CHECK(pool.unavailable == 1);
  CHECK(pool.reason == Unavailable::gpu_unhealthy);
}

TEST_CASE("an instance type promises GPUs where no label does") {
  Node node = make::node("a", 0);
  node.labels = {{"node.kubernetes.io/instance-type", "p5.48xlarge"}};
  const Pool pool = only_pool(node);
  CHECK(pool.reason == Unavailable::device_plugin_missing);
  CHECK(pool.total == 8);
  CHECK(pool.model == "H100-80G");
  node.labels = {{"node.kubernetes.io/instance-type", "m5.large"}};
  CHECK_FALSE(is_gpu_node(node));
}

TEST_CASE("what stands beside may have the cards that are missing") {
  Node mixed = make::node("a", 7);
  mixed.labels = {{"nvidia.com/gpu.count", "8"}, {"nvidia.com/gpu.product", "NVIDIA-H200"}};
  mixed.capacity.set("nvidia.com/mig-1g.18gb", Quantity::of(7));
  mixed.allocatable.set("nvidia.com/mig-1g.18gb", Quantity::of(7));
  for (const Pool& pool : pools_of(mixed, nullptr, Coverage::whole)) CHECK_FALSE(pool.expected);

  // Cut a moment ago, its slices are not advertised yet.
  Node cut = make::node("a", 7);
  cut.labels = {{"nvidia.com/gpu.count", "8"},
                {"nvidia.com/gpu.product", "NVIDIA-H200"},
                {"nvidia.com/mig-1g.18gb.count", "7"}};
  CHECK(only_pool(cut).total == 7);
}

TEST_CASE("shares are expected times replicas, and a label that counts less changes nothing") {
  Node shared = make::node("a", 8);
  shared.labels = {{"nvidia.com/gpu.count", "3"},
                   {"nvidia.com/gpu.replicas", "4"},
                   {"nvidia.com/gpu.product", "Tesla-T4-SHARED"}};
  CHECK(only_pool(shared).total == 12);
  Node more = make::node("a", 8);
  more.labels = {{"nvidia.com/gpu.count", "4"}, {"nvidia.com/gpu.present", "true"}};
  const Pool pool = only_pool(more);
  CHECK(pool.total == 8);
  CHECK(pool.reason == Unavailable::none);
}

TEST_CASE("what is expected is taken back where a driver may have it") {
  Node node = make::node("a", 7);
  node.labels = {{"nvidia.com/gpu.count", "8"}, {"nvidia.com/gpu.present", "true"}};
  Pool pool = only_pool(node, 5);
  forget_expected(pool);
  CHECK(pool.total == 7);
  CHECK(pool.unavailable == 0);
  CHECK(pool.reason == Unavailable::none);
  CHECK(pool.cards == 7);
}

}  // namespace pools_expected_units_test
