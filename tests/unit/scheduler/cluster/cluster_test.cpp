#include "scheduler/cluster/cluster.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace cluster_cluster_test {

using namespace gpu;
using namespace gpu::scheduler;

TEST_CASE("who is on a node, and what they take") {
  Pod finished = make::running("done", "a", {}, 4);
  finished.phase = "Succeeded";
  Pod leaving = make::running("leaving", "a", {}, 1);
  leaving.deleted = Time{};
  const Snapshot snapshot = make::cluster(
      {make::node("a", 8)},
      {finished, leaving, make::running("b", "a", {}, 2), make::running("lost", "no-such-node")});
  const Cluster cluster(snapshot);
  const NodeState& node = cluster.nodes()[0];
  REQUIRE(node.pods.size() == 2);
  const auto gpus = cluster.resource("nvidia.com/gpu");
  REQUIRE(gpus);
  CHECK(node.requested[*gpus] == 3);
  CHECK(node.allocatable[*gpus] == 8);
  CHECK(node.allowed_pods == 110);
  CHECK(cluster.name_of(*gpus) == "nvidia.com/gpu");
  CHECK_FALSE(cluster.resource("amd.com/gpu"));
}

TEST_CASE("cpu counts in thousandths, other resources in whole units, pods apart") {
  Node node = make::node("a", 0);
  node.allocatable.set("cpu", *Quantity::parse("1500m"));
  node.allocatable.set("memory", *Quantity::parse("1k"));
  node.allocatable.set("storage", Quantity::of(5));       // nothing that is compared
  node.allocatable.set("requests.a/b", Quantity::of(5));  // nor this
  node.allocatable.set("hugepages-2Mi", *Quantity::parse("4Mi"));
  const Snapshot snapshot = make::cluster({node});
  const Cluster cluster(snapshot);
  CHECK(cluster.nodes()[0].allocatable[*cluster.resource("cpu")] == 1500);
  CHECK(cluster.nodes()[0].allocatable[*cluster.resource("memory")] == 1000);
  CHECK(cluster.nodes()[0].allocatable[*cluster.resource("hugepages-2Mi")] == 4 << 20);
  CHECK_FALSE(cluster.resource("storage"));
  CHECK_FALSE(cluster.resource("requests.a/b"));
  CHECK_FALSE(cluster.resource("pods"));
}

TEST_CASE("pods wait on the node that they are nominated for, unless they are gated") {
  Pod nominated = make::waiting("n", 1);
  nominated.nominated_node = "a";
  Pod gated = nominated;
  gated.name = "gated";
  gated.scheduling_gates = {"kueue.x-k8s.io/admission"};
  const Snapshot snapshot = make::cluster({make::node("a", 8)}, {nominated, gated});
  const Cluster cluster(snapshot);
  REQUIRE(cluster.nodes()[0].nominated.size() == 1);
  CHECK(cluster.nodes()[0].nominated[0].pod->name == "n");
  CHECK(cluster.nodes()[0].pods.empty());
}

TEST_CASE("objects are found by their names") {
  Snapshot snapshot = make::cluster({make::node("a", 0), make::node("b", 0)});
  snapshot.scheduling.namespaces = {{.name = "ml", .labels = {{"team", "x"}}}, {.name = "web"}};
  snapshot.scheduling.volume_claims = {{.ns = "ml", .name = "data"}, {.ns = "web", .name = "data"}};
  const Cluster cluster(snapshot);
  CHECK(cluster.node_named("b") == 1U);
  CHECK_FALSE(cluster.node_named("c"));
  REQUIRE(cluster.namespace_labels("ml") != nullptr);
  CHECK(value_of(*cluster.namespace_labels("ml"), "team") == "x");
  CHECK(cluster.namespace_labels("other") == nullptr);
  REQUIRE(cluster.volume_claim("web", "data") != nullptr);
  CHECK(cluster.volume_claim("web", "data")->ns == "web");
  CHECK(cluster.volume_claim("ml", "logs") == nullptr);
  CHECK(cluster.storage_class("fast") == nullptr);
}

}  // namespace cluster_cluster_test
