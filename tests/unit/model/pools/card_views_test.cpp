#include "model/pools/card_views.hpp"

#include "model/one_pool.hpp"

namespace pools_card_views_test {

using namespace gpu;

namespace {

Node inferentia() {
  Node node = make::node("a", 6, "aws.amazon.com/neuron");
  make::advertise(node, "aws.amazon.com/neurondevice", 6);
  make::advertise(node, "aws.amazon.com/neuroncore", 12);
  return node;
}

}  // namespace

TEST_CASE("Neuron's chips under three names are counted once") {
  for (const Pool& pool : make::pools(inferentia())) {
    CHECK(pool.is_second_view == (pool.resource != "aws.amazon.com/neuron"));
    CHECK(pool.free == pool.capacity);
  }
  SECTION("the chip itself is not advertised: another name is the first view") {
    Node node = make::node("a", 12, "aws.amazon.com/neuroncore");
    node.labels = {{"karpenter.k8s.aws/instance-accelerator-name", "inferentia2"},
                   {"karpenter.k8s.aws/instance-accelerator-count", "6"}};
    const Pool pool = make::only_pool(node);
    CHECK_FALSE(pool.is_second_view);
    CHECK(pool.cards == 6);
  }
}

TEST_CASE("the scheduler counts each name apart; which cards are clear is then unknown") {
  for (const Pool& pool :
       make::pools(inferentia(), {make::pod("x", "a", 3, "aws.amazon.com/neuroncore")})) {
    CHECK(pool.free == (pool.resource == "aws.amazon.com/neuroncore" ? 9 : 6));
    CHECK_FALSE(pool.free_cards);
  }
  CHECK(make::pools(inferentia()).front().free_cards == 6);
}

TEST_CASE("a cordoned node has nothing free under any name") {
  Node node = inferentia();
  node.unschedulable = true;
  for (const Pool& pool : make::pools(node, {make::pod("x", "a", 1, "aws.amazon.com/neuron")}))
    CHECK(pool.free == 0);
}

TEST_CASE("a sharing scheduler's name beside the plugin's") {
  Node node = make::node("a", 4);
  make::advertise(node, "volcano.sh/vgpu-number", 40);
  SECTION("the same cards twice") {
    const auto pools = make::pools(node);
    REQUIRE(pools.size() == 2);
    CHECK_FALSE(pools[0].is_second_view);
    CHECK(pools[1].is_second_view);
  }
  SECTION("the plugin's are what the kubelet keeps") {
    node.allocatable.set("nvidia.com/gpu", Quantity{});
    CHECK(make::only_pool(node).resource == "volcano.sh/vgpu-number");
    CHECK_FALSE(make::only_pool(node).is_second_view);
  }
  SECTION("they are not while a pod holds one") {
    node.allocatable.set("nvidia.com/gpu", Quantity{});
    CHECK(make::pools(node, {make::pod("x", "a", 1)}).size() == 2);
  }
}

TEST_CASE("slices beside whole cards are no second view") {
  Node node = make::node("a", 6);
  make::advertise(node, "nvidia.com/mig-1g.10gb", 14);
  for (const Pool& pool : make::pools(node, {make::pod("x", "a", 1)})) {
    CHECK_FALSE(pool.is_second_view);
    CHECK(pool.free);
  }
}

TEST_CASE("a name that was given up lingers, and its units are not there") {
  // The kubelet keeps the capacity of a plugin that is gone, for 5 minutes and more.
  Node node = make::node("a", 1);
  node.labels = {{"nvidia.com/gpu.count", "1"}, {"nvidia.com/gpu.product", "NVIDIA-H200"}};
  node.capacity.set("nvidia.com/gpu.shared", Quantity::of(4));
  node.allocatable.set("nvidia.com/gpu.shared", Quantity{});
  SECTION("one card is offered under the other name") {
    CHECK(make::only_pool(node).resource == "nvidia.com/gpu");
    CHECK(make::only_pool(node).total == 1);
  }
  SECTION("a pod that started under the old name holds what is left of it") {
    const auto pools = make::pools(node, {make::pod("x", "a", 1, "nvidia.com/gpu.shared")});
    REQUIRE(pools.size() == 2);
    CHECK(pools[1].total == 1);
    CHECK(pools[1].allocated == 1);
    CHECK(pools[1].unavailable == 0);
  }
  SECTION("where the node has more cards than the other name offers, they are out of order") {
    node.labels.set("nvidia.com/gpu.count", "2");
    const auto pools = make::pools(node);
    REQUIRE(pools.size() == 2);
    CHECK(pools[1].unavailable == 4);
    CHECK(pools[1].reason == Unavailable::device_plugin_unhealthy);
  }
}

TEST_CASE("slices of an old layout linger, those that labels count do not") {
  Node node = make::node("a", 4);
  node.labels = {{"nvidia.com/gpu.count", "4"},
                 {"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-40GB"}};
  node.capacity.set("nvidia.com/mig-1g.5gb", Quantity::of(28));
  node.allocatable.set("nvidia.com/mig-1g.5gb", Quantity{});
  SECTION("all cards are whole again") {
    CHECK(make::only_pool(node).resource == "nvidia.com/gpu");
  }
  SECTION("the label counts them") {
    node.labels.set("nvidia.com/mig-1g.5gb.count", "28");
    CHECK(make::pools(node).size() == 2);
  }
  SECTION("no label tells how many cards there are") {
    node.labels = StringMap{};
    CHECK(make::pools(node).size() == 2);
  }
}

}  // namespace pools_card_views_test
