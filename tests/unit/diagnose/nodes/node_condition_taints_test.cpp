#include "diagnose/nodes/node_condition_taints.hpp"

#include <catch2/catch.hpp>

#include "diagnose/explain/explain.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace nodes_node_condition_taints_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

/// Why a pod waits for the one node, which has these taints.
Explanation answer(const std::vector<Taint>& taints) {
  Node node = make::node("d1", 8);
  node.taints = taints;
  const Pod pod = make::waiting("p", 1);
  const Snapshot snapshot = make::cluster({node}, {pod});
  return explain(Cluster(snapshot), pod, {});
}

Taint taint(std::string key, std::string value = "true") {
  return {.key = std::move(key), .value = std::move(value), .effect = "NoSchedule"};
}

}  // namespace

TEST_CASE("a node that is not set up yet, ill or off is waited for or healed, not added") {
  for (const auto& [key, state, advice] :
       {std::tuple("node.cloudprovider.kubernetes.io/uninitialized", "not set up yet",
                   "cloud provider's controller"),
        std::tuple("node.kubernetes.io/network-unavailable", "not set up yet", "network plugin"),
        std::tuple("node.cilium.io/agent-not-ready", "not set up yet", "whoever set it"),
        std::tuple("nvidia.com/gpu-unhealthy", "marked unhealthy", "repair the node"),
        std::tuple("example.com/maintenance", "being worked on", "once the work"),
        std::tuple("node.kubernetes.io/out-of-service", "marked as off", "take the taint off")}) {
    const Explanation it = answer({taint(key)});
    INFO(it.summary);
    CHECK(it.summary.starts_with("d1, the only node with free GPUs, is " + std::string(state) +
                                 ", and takes no new pods: " + key));
    REQUIRE(it.advice.size() == 1);
    CHECK_THAT(it.advice.front().summary, Contains(advice));
    CHECK(it.fixes.empty());
    CHECK_THAT(it.nearest, Contains("d1, once "));
  }
}

TEST_CASE("a pressure is named by its condition") {
  CHECK_THAT(answer({taint("node.kubernetes.io/disk-pressure", "")}).summary,
             Contains("is ill, and takes no new pods: DiskPressure"));
}

TEST_CASE("a node that is about to go is not waited for: one like it is to be added") {
  const Explanation it = answer({taint("ToBeDeletedByClusterAutoscaler", "173")});
  CHECK_THAT(it.summary, Contains("is about to go, and takes no new pods"));
  CHECK(it.nearest == "d1, which is about to go");
  REQUIRE(it.advice.size() == 1);
  CHECK(it.advice.front().summary == "add a node like d1: empty, it would take the pod");
}

TEST_CASE("a taint of people beside it is no ailment") {
  Node node = make::node("d1", 8);
  const Taint team = taint("team", "a");
  const Taint unready = taint("node.cilium.io/agent-not-ready");
  CHECK(condition_taints_of(node, {&unready}));
  CHECK_FALSE(condition_taints_of(node, {&unready, &team}));
  CHECK_FALSE(condition_taints_of(node, {}));
}

}  // namespace nodes_node_condition_taints_test
