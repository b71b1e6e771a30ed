#include "model/pools/physical_cards.hpp"

#include "model/one_pool.hpp"

namespace pools_physical_cards_test {

using namespace gpu;
using make::only_pool;

namespace {

/// A node of the MIG mixed strategy with A100 cards of 80 GB, as many as `count` says.
Node mixed(const std::string& count, std::int64_t whole = 0) {
  Node node = make::node("a", whole);
  node.labels = {{"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB"},
                 {"nvidia.com/gpu.memory", "81920"},
                 {"nvidia.com/mig.strategy", "mixed"}};
  if (!count.empty()) node.labels.set("nvidia.com/gpu.count", count);
  return node;
}

const Pool& pool_named(const std::vector<Pool>& pools, std::string_view resource) {
  const auto at = std::find_if(pools.begin(), pools.end(),
                               [&](const Pool& pool) { return pool.resource == resource; });
  REQUIRE(at != pools.end());
  return *at;
}

/// A node of the MIG single strategy.
Node single(const std::string& product, std::int64_t units) {
  Node node = make::node("a", units);
  node.labels = {{"nvidia.com/gpu.product", product},
                 {"nvidia.com/gpu.count", std::to_string(units)},
                 {"nvidia.com/gpu.memory", "4864"}};
  return node;
}

}  // namespace

TEST_CASE("MIG mixed: cards that are cut are those that do not stand beside whole") {
  Node node = mixed("8", 6);
  make::advertise(node, "nvidia.com/mig-1g.10gb", 14);
  const auto pools = make::pools(node, {make::pod("x", "a", 1, "nvidia.com/mig-1g.10gb")});
  CHECK(pool_named(pools, "nvidia.com/gpu").cards == 6);
  CHECK(pool_named(pools, "nvidia.com/gpu").free_cards == 6);
  CHECK(pool_named(pools, "nvidia.com/mig-1g.10gb").cards == 2);
  CHECK(pool_named(pools, "nvidia.com/mig-1g.10gb").free_cards == 1);
}

TEST_CASE("MIG mixed: several profiles") {
  SECTION("full cards of each, or two that hold both: nobody knows") {
    Node node = mixed("2");
    make::advertise(node, "nvidia.com/mig-1g.10gb", 7);
    make::advertise(node, "nvidia.com/mig-3g.40gb", 2);
    for (const Pool& pool : make::pools(node)) CHECK_FALSE(pool.cards);
  }
  SECTION("a card holds several of them: which stand where is unknown") {
    Node node = mixed("1");
    make::advertise(node, "nvidia.com/mig-1g.10gb", 2);
    make::advertise(node, "nvidia.com/mig-2g.20gb", 1);
    make::advertise(node, "nvidia.com/mig-3g.40gb", 1);
    for (const Pool& pool : make::pools(node)) CHECK_FALSE(pool.cards);
  }
}

TEST_CASE("MIG mixed: labels that do not fit what is advertised") {
  SECTION("no count") {
    Node node = mixed("");
    make::advertise(node, "nvidia.com/mig-1g.10gb", 14);
    CHECK_FALSE(only_pool(node).cards);
  }
  SECTION("more slices than so many cards hold") {
    Node node = mixed("1");
    make::advertise(node, "nvidia.com/mig-1g.10gb", 14);
    CHECK_FALSE(only_pool(node).cards);
  }
  SECTION("a profile that labels promise and nobody advertises is stale") {
    Node node = mixed("2");
    node.labels.set("nvidia.com/mig-1g.10gb.count", "14");
    make::advertise(node, "nvidia.com/mig-3g.40gb", 4);
    CHECK(only_pool(node).resource == "nvidia.com/mig-3g.40gb");
    CHECK(only_pool(node).cards == 2);
  }
  SECTION("fewer slices than labelled: what is advertised counts") {
    Node node = mixed("2", 1);
    node.labels.set("nvidia.com/mig-1g.10gb.count", "7");
    make::advertise(node, "nvidia.com/mig-1g.10gb", 4);
    CHECK(pool_named(make::pools(node), "nvidia.com/mig-1g.10gb").total == 4);
    CHECK(pool_named(make::pools(node), "nvidia.com/mig-1g.10gb").cards == 1);
  }
}

TEST_CASE("MIG mixed: the plugin is gone, and pods hold slices") {
  Node node = mixed("8");
  const std::vector<Pod> pods = {make::pod("x", "a", 2, "nvidia.com/mig-1g.10gb")};
  SECTION("labels count the slices") {
    node.labels.set("nvidia.com/mig-1g.10gb.count", "56");
    CHECK(only_pool(node, pods).total == 56);
  }
  SECTION("eight cards are not eight slices") { CHECK_FALSE(only_pool(node, pods).total); }
}

TEST_CASE("MIG slices that are shared") {
  Node node = make::node("a", 28, "nvidia.com/mig-1g.5gb.shared");
  node.labels = {{"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-40GB"},
                 {"nvidia.com/gpu.count", "1"},
                 {"nvidia.com/mig-1g.5gb.count", "7"},
                 {"nvidia.com/mig-1g.5gb.replicas", "4"},
                 {"nvidia.com/mig-1g.5gb.sharing-strategy", "mps"}};
  CHECK(only_pool(node).sharing == Sharing{SharingStrategy::mps, 4});
  CHECK(only_pool(node).cards == 1);
  CHECK(only_pool(node).kind.profile == "1g.5gb");
  SECTION("replicas of whole cards say nothing of slices") {
    node = mixed("1");
    node.labels.set("nvidia.com/gpu.replicas", "4");
    make::advertise(node, "nvidia.com/mig-1g.10gb", 7);
    CHECK(only_pool(node).sharing == Sharing{});
  }
}

TEST_CASE("MIG single: slices come to cards where they divide evenly") {
  CHECK(only_pool(single("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", 56)).cards == 8);
  CHECK(only_pool(single("NVIDIA-A100-SXM4-40GB-MIG-3g.20gb", 16)).cards == 8);
  CHECK(only_pool(single("NVIDIA-A30-MIG-1g.6gb", 8)).cards == 2);
  CHECK_FALSE(only_pool(single("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", 55)).cards);
  CHECK_FALSE(only_pool(single("NVIDIA-X999-MIG-1g.5gb", 56)).cards);
  SECTION("and shared") {
    Node node = single("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb-SHARED", 28);
    node.labels.set("nvidia.com/gpu.count", "7");
    node.labels.set("nvidia.com/gpu.replicas", "4");
    CHECK(only_pool(node).cards == 1);
    CHECK(only_pool(node).sharing.replicas == 4);
  }
  SECTION("the cloud knows its instance types") {
    Node node = single("NVIDIA-X999-MIG-1g.5gb", 56);
    node.labels.set("karpenter.k8s.aws/instance-gpu-count", "8");
    CHECK(only_pool(node).cards == 8);
  }
}

TEST_CASE("the MIG single strategy over whole cards") {
  Node node = make::node("a", 8);
  node.labels = {{"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB"},
                 {"nvidia.com/gpu.count", "8"},
                 {"nvidia.com/mig.strategy", "single"}};
  CHECK(only_pool(node).kind.kind == DeviceKind::card);
  CHECK(only_pool(node).cards == 8);
}

TEST_CASE("a label that counts no cards is not believed where units are advertised") {
  Node node = make::node("a", 10);
  node.labels = {{"nvidia.com/gpu.product", "Tesla-T4"}, {"nvidia.com/gpu.count", "0"}};
  node.capacity.set("nvidia.com/gpumem", Quantity::of(15360));
  node.allocatable = node.capacity;
  CHECK(only_pool(node).sharing.strategy == SharingStrategy::hami);
  CHECK_FALSE(only_pool(node, {make::pod("x", "a", 1)}).cards);
  CHECK_FALSE(only_pool(node, {make::pod("x", "a", 1)}).free_cards);
}

TEST_CASE("free cards are whole ones, as far as the count of units tells") {
  const Node node = make::node("a", 8);
  CHECK(only_pool(node, {make::pod("x", "a", 3)}).free_cards == 5);
  Node slices = single("NVIDIA-A100-SXM4-40GB-MIG-1g.5gb", 14);
  CHECK(only_pool(slices).free_cards == 2);
  CHECK(only_pool(slices, {make::pod("x", "a", 1)}).free_cards == 1);
  CHECK_FALSE(only_pool(slices, {make::pod("x", "a", 2)}).free_cards);
  CHECK(only_pool(slices, {make::pod("x", "a", 14)}).free_cards == 0);
  slices.unschedulable = true;
  CHECK(only_pool(slices).free_cards == 0);
}

}  // namespace pools_physical_cards_test
