#include "model/holdings/pools.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace gpu_pool_test {

using namespace gpu;

namespace {

/// The one pool of one node with these pods.
Pool only_pool(const Node& node, const std::vector<Pod>& pods) {
  const std::vector<Pool> pools = pools_of(make::snapshot({node}, pods));
  REQUIRE(pools.size() == 1);
  const Pool& pool = pools.front();
  if (pool.total && pool.allocated)
    CHECK(*pool.total == *pool.allocated + *pool.free + *pool.unavailable);
  return pool;
}

}  // namespace

TEST_CASE("a healthy node: capacity is allocated or free") {
  const Pool pool = only_pool(make::node("a", 8), {make::pod("x", "a", 3), make::pod("y", "a", 2)});
  CHECK(pool.allocated == 5);
  CHECK(pool.free == 3);
  CHECK(pool.unavailable == 0);
  CHECK(pool.reason == Unavailable::none);
  CHECK(pool.cards == 8);
}

TEST_CASE("finished pods hold nothing, terminating ones do") {
  Pod done = make::pod("done", "a", 4);
  done.phase = "Succeeded";
  Pod failed = make::pod("failed", "a", 4);
  failed.phase = "Failed";
  Pod leaving = make::pod("leaving", "a", 1);
  leaving.deleted = Time{};
  CHECK(only_pool(make::node("a", 8), {done, failed, leaving}).allocated == 1);
}

TEST_CASE("nobody can start on a cordoned, not ready, tainted, or leaving node") {
  Node node = make::node("a", 8);
  Unavailable expected = Unavailable::none;
  SECTION("cordoned") {
    node.unschedulable = true;
    expected = Unavailable::cordoned;
  }
  SECTION("not ready") {
    node.conditions = {{.type = "Ready", .status = "Unknown"}};
    expected = Unavailable::node_not_ready;
  }
  SECTION("never reported") {
    node.conditions.clear();
    expected = Unavailable::node_not_ready;
  }
  SECTION("not ready taint") {
    node.taints = {{"node.kubernetes.io/not-ready", "", "NoSchedule"}};
    expected = Unavailable::node_not_ready;
  }
  SECTION("disk pressure") {
    node.taints = {{"node.kubernetes.io/disk-pressure", "", "NoSchedule"}};
    expected = Unavailable::node_tainted;
  }
  SECTION("scale-down") {
    node.taints = {{"ToBeDeletedByClusterAutoscaler", "1", "NoSchedule"}};
    expected = Unavailable::node_leaving;
  }
  SECTION("deleted") {
    node.deleted = Time{};
    expected = Unavailable::node_leaving;
  }
  const Pool pool = only_pool(node, {make::pod("x", "a", 3)});
  CHECK(pool.allocated == 3);
  CHECK(pool.free == 0);
  CHECK(pool.unavailable == 5);
  CHECK(pool.reason == expected);
}

TEST_CASE("a GPU pool's own taint does not make it unavailable") {
  Node node = make::node("a", 8);
  node.taints = {{"nvidia.com/gpu", "", "NoSchedule"},
                 {"node.kubernetes.io/disk-pressure", "", "PreferNoSchedule"}};
  CHECK(only_pool(node, {}).free == 8);
}

TEST_CASE("unhealthy devices are unavailable") {
  Node node = make::node("a", 8);
  SECTION("one of eight") {
    node.allocatable.set("nvidia.com/gpu", Quantity::of(7));
    const Pool pool = only_pool(node, {make::pod("x", "a", 2)});
    CHECK(pool.free == 5);
    CHECK(pool.unavailable == 1);
    CHECK(pool.reason == Unavailable::gpu_unhealthy);
  }
  SECTION("all of them, and pods still hold some") {
    node.allocatable.set("nvidia.com/gpu", Quantity::of(0));
    const Pool pool = only_pool(node, {make::pod("x", "a", 2)});
    CHECK(pool.free == 0);
    CHECK(pool.unavailable == 6);
    CHECK(pool.reason == Unavailable::device_plugin_unhealthy);
  }
  SECTION("the plugin is gone, and pods hold what it once gave") {
    node.capacity.set("nvidia.com/gpu", Quantity::of(0));
    node.allocatable.set("nvidia.com/gpu", Quantity::of(0));
    const Pool pool = only_pool(node, {make::pod("x", "a", 8)});
    CHECK(pool.total == 8);
    CHECK(pool.allocated == 8);
    CHECK(pool.free == 0);
    CHECK(pool.reason == Unavailable::device_plugin_missing);
  }
  SECTION("the same, and labels remember that there were more") {
    node = make::node("a", 0);
    node.labels = {{"nvidia.com/gpu.present", "true"}, {"nvidia.com/gpu.count", "8"}};
    const Pool pool = only_pool(node, {make::pod("x", "a", 3)});
    CHECK(pool.total == 8);
    CHECK(pool.unavailable == 5);
    CHECK(pool.reason == Unavailable::device_plugin_missing);
  }
}

TEST_CASE("cards are called by the type that a sharing plugin registered, where all have one") {
  const auto model = [](const std::vector<std::string>& types) {
    Node node = make::node("a", 20);
    node.annotations = {{"hami.io/node-nvidia-register", "[]"}};
    for (const std::string& type : types)
      node.shared_cards.push_back({.uuid = "GPU-" + std::to_string(node.shared_cards.size()),
                                   .type = type,
                                   .slots = 10,
                                   .memory_mib = 23028,
                                   .cores = 100,
                                   .is_healthy = true});
    return only_pool(node, {}).model;
  };
  CHECK(model({"NVIDIA-NVIDIA A10", "NVIDIA-NVIDIA A10"}) == "A10-24G");
  CHECK(model({"NVIDIA-NVIDIA A10", "NVIDIA-NVIDIA L4"}).empty());
  CHECK(model({"", ""}).empty());
}

TEST_CASE("HAMi's units are shares of cards, not cards") {
  Node node = make::node("a", 80);
  node.annotations = {{"hami.io/node-nvidia-register", "[]"}};
  CHECK(only_pool(node, {}).sharing.strategy == SharingStrategy::hami);
  CHECK_FALSE(only_pool(node, {}).cards);
  node.labels = {{"nvidia.com/gpu.present", "true"}, {"nvidia.com/gpu.count", "8"}};
  CHECK(only_pool(node, {}).cards == 8);
}

TEST_CASE("shares of an unknown number are not one") {
  const Pool pool = only_pool(make::node("a", 8, "nvidia.com/gpu.shared"), {});
  CHECK(pool.sharing == Sharing{SharingStrategy::time_slicing, std::nullopt});
  CHECK_FALSE(pool.cards);
}

TEST_CASE("labels promise GPUs that no plugin advertises") {
  Node node = make::node("a", 0);
  node.labels = {{"nvidia.com/gpu.present", "true"}};
  SECTION("with a count") {
    node.labels.set("nvidia.com/gpu.count", "8");
    const Pool pool = only_pool(node, {});
    CHECK(pool.capacity == 0);
    CHECK(pool.unavailable == 8);
    CHECK(pool.reason == Unavailable::device_plugin_missing);
  }
  SECTION("without one, how many is unknown, not zero") {
    const Pool pool = only_pool(node, {});
    CHECK_FALSE(pool.total);
    CHECK_FALSE(pool.unavailable);
    CHECK(pool.free == 0);
  }
}

TEST_CASE("MIG, mixed: slices beside a whole-card resource that is stale or zero") {
  Node node = make::node("a", 2);
  node.allocatable.set("nvidia.com/gpu", Quantity::of(0));
  node.labels = {{"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB"}};
  for (ResourceList* list : {&node.capacity, &node.allocatable})
    list->set("nvidia.com/mig-1g.10gb", Quantity::of(14));
  const Pool pool = only_pool(node, {make::pod("x", "a", 9, "nvidia.com/mig-1g.10gb")});
  CHECK(pool.model == "A100-1g.10gb");
  CHECK(pool.kind.kind == DeviceKind::mig_slice);
  CHECK(pool.free == 5);
  CHECK_FALSE(pool.cards);
}

TEST_CASE("MIG, single: the plain resource counts slices") {
  Node node = make::node("a", 56);
  node.labels = {{"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"},
                 {"nvidia.com/gpu.count", "56"},
                 {"nvidia.com/gpu.memory", "4864"}};
  const Pool pool = only_pool(node, {});
  CHECK(pool.kind.kind == DeviceKind::mig_slice);
  CHECK(pool.model == "A100-1g.5gb");
  CHECK(pool.cards == 8);
}

TEST_CASE("time-slicing: 80 units are 8 cards") {
  Node node = make::node("a", 80);
  node.labels = {{"nvidia.com/gpu.product", "Tesla-T4-SHARED"},
                 {"nvidia.com/gpu.replicas", "10"},
                 {"nvidia.com/gpu.count", "8"}};
  const Pool pool = only_pool(node, {});
  CHECK(pool.cards == 8);
  CHECK(pool.sharing == Sharing{SharingStrategy::time_slicing, 10});
}

TEST_CASE("no pod slot left means nothing is free") {
  Node node = make::node("a", 8);
  node.allocatable.set("pods", Quantity::of(1));
  const Pool pool = only_pool(node, {make::pod("x", "a", 0)});
  CHECK(pool.free == 0);
  CHECK(pool.reason == Unavailable::too_many_pods);
}

TEST_CASE("pods that were not, or not all, seen leave unknowns, not zeros") {
  Snapshot snapshot = make::snapshot({make::node("a", 8)}, {make::pod("x", "a", 3)});
  SECTION("none") { snapshot.pod_coverage = Coverage::none; }
  SECTION("some") { snapshot.pod_coverage = Coverage::partial; }
  const Pool pool = pools_of(snapshot).front();
  CHECK_FALSE(pool.allocated);
  CHECK_FALSE(pool.free);
  CHECK_FALSE(pool.unavailable);
  CHECK(pool.at_least.has_value() == (snapshot.pod_coverage == Coverage::partial));
}

TEST_CASE("CPU nodes have no pool") {
  CHECK_FALSE(is_gpu_node(make::node("cpu", 0)));
  CHECK(is_gpu_node(make::node("a", 1)));
}

TEST_CASE("a node whose GPUs DRA hands out has unknowns, not losses") {
  Node node = make::node("a", 0);
  node.labels = {{"nvidia.com/gpu.present", "true"}, {"nvidia.com/gpu.count", "8"}};
  Snapshot snapshot = make::snapshot({node}, {});
  snapshot.slices.push_back({.driver = "gpu.nvidia.com", .node_name = "a"});
  const Pool pool = pools_of(snapshot).front();
  CHECK(pool.total == 8);
  CHECK_FALSE(pool.free);
  CHECK_FALSE(pool.unavailable);
  CHECK(pool.reason == Unavailable::managed_by_dra);
}

TEST_CASE("the plugin is gone, and labels tell how many units there were") {
  Node node = make::node("a", 0);
  const std::vector<Pod> pods = {make::pod("x", "a", 3)};
  SECTION("slices of the MIG single strategy") {
    node.labels = {{"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb"},
                   {"nvidia.com/gpu.count", "56"}};
    const Pool pool = only_pool(node, pods);
    CHECK(pool.kind.kind == DeviceKind::mig_slice);
    CHECK(pool.unavailable == 53);
    CHECK(only_pool(node, {}).kind.kind == DeviceKind::mig_slice);
  }
  SECTION("time-sliced cards") {
    node.labels = {{"nvidia.com/gpu.product", "Tesla-T4-SHARED"},
                   {"nvidia.com/gpu.count", "2"},
                   {"nvidia.com/gpu.replicas", "4"}};
    CHECK(only_pool(node, pods).unavailable == 5);
    CHECK(only_pool(node, pods).cards == 2);
  }
  SECTION("no count: how many are lost is unknown") {
    node.labels = {{"nvidia.com/gpu.product", "NVIDIA-L4"}};
    const Pool pool = only_pool(node, pods);
    CHECK(pool.allocated == 3);
    CHECK_FALSE(pool.total);
    CHECK_FALSE(pool.unavailable);
    CHECK(pool.reason == Unavailable::device_plugin_missing);
  }
}

TEST_CASE("a node that reports no pod slots starts no pod") {
  Node node = make::node("a", 8);
  node.allocatable = {{"nvidia.com/gpu", Quantity::of(8)}};
  CHECK(only_pool(node, {}).reason == Unavailable::too_many_pods);
}

TEST_CASE("amounts that no API server accepts stay within what there is") {
  Node node = make::node("a", 8);
  SECTION("a pod that asks for less than nothing") {
    const Pool pool =
        only_pool(node, {make::pod("x", "a", 0), [] {
                           Pod pod = make::pod("y", "a", 0);
                           pod.containers[0].requests.set("nvidia.com/gpu", *Quantity::parse("-2"));
                           return pod;
                         }()});
    CHECK(pool.allocated == 0);
    CHECK(pool.free == 8);
  }
  SECTION("allocatable without capacity") {
    node.capacity = {{"pods", Quantity::of(110)}};
    const Pool pool = only_pool(node, {});
    CHECK(pool.total == 8);
    CHECK(pool.free == 8);
    CHECK(pool.reason == Unavailable::none);
  }
}

}  // namespace gpu_pool_test
