#include "diagnose/nodes/cause.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace nodes_cause_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

Cause cause(const std::vector<Node>& nodes, const std::vector<Pod>& pods, const Pod& pod) {
  const Snapshot snapshot = make::cluster(nodes, pods);
  const scheduler::Cluster cluster(snapshot);
  const scheduler::Verdict verdict = scheduler::judge(cluster, pod);
  const NodeReasons reasons(cluster, pod, verdict);
  return cause_of(cluster, pod, verdict, reasons);
}

/// Of nodes of 8 GPUs each, of which so many are held.
Cause with_held(const std::vector<std::int64_t>& held, std::int64_t wanted) {
  std::vector<Node> nodes;
  std::vector<Pod> pods;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::string name = "n" + std::to_string(i);
    nodes.push_back(make::node(name, 8));
    if (held[i] > 0) pods.push_back(make::running("on-" + name, name, {}, held[i]));
  }
  return cause(nodes, pods, make::waiting("p", wanted));
}

Node cordoned(Node node) {
  node.unschedulable = true;
  return node;
}

}  // namespace

TEST_CASE("a cluster without nodes, and one without GPUs, advertise none") {
  const Cause none = cause({}, {}, make::waiting("p", 1));
  CHECK(none.code == Code::resource_not_advertised);
  const Cause bare =
      cause({make::node("c1", 0), make::node("g1", 8, "amd.com/gpu")}, {}, make::waiting("p", 1));
  CHECK(bare.code == Code::resource_not_advertised);
}

TEST_CASE("a selector that leaves out all nodes with GPUs names them") {
  Pod pod = make::waiting("p", 2);
  pod.node_selector = {{"zone", "b"}};
  const Cause it =
      cause({make::labelled("g1", {{"zone", "a"}}, 8), make::labelled("g2", {{"zone", "a"}}, 8),
             make::labelled("c1", {{"zone", "b"}}), make::labelled("c2", {{"zone", "a"}})},
            {}, pod);
  CHECK(it.code == Code::node_selector_mismatch);
  CHECK(it.summary ==
        "pod needs 2 GPUs, and its node selector leaves out all nodes that have any: g1 and g2");
  CHECK(it.nearest == "g1: node selector");
}

TEST_CASE("a request that exceeds the largest node is told with that node's number") {
  const Cause it = cause({make::node("a", 4), make::node("b", 8), make::node("c", 2)}, {},
                         make::waiting("p", 9));
  CHECK(it.code == Code::request_exceeds_every_node);
  CHECK(it.summary == "pod needs 9 GPUs on one node, and no node it may run on has more than 8");
  CHECK(cause({make::node("a", 4), make::node("b", 8)}, {make::running("q", "b", {}, 8)},
              make::waiting("p", 8))
            .code == Code::insufficient_gpus);
}

TEST_CASE("a node that is cut stands for 16 whole GPUs where no label counts them") {
  Node cut = make::node("m1", 7, "nvidia.com/mig-1g.10gb");
  cut.labels = {{"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB"}};
  const auto code = [&](std::int64_t wanted) {
    return cause({cut, make::node("a", 4)}, {}, make::waiting("p", wanted)).code;
  };
  CHECK(code(16) != Code::request_exceeds_every_node);
  CHECK(code(17) == Code::request_exceeds_every_node);
  cut.labels.set("nvidia.com/gpu.count", "8");
  CHECK(code(8) != Code::request_exceeds_every_node);
  CHECK(code(9) == Code::request_exceeds_every_node);
}

TEST_CASE("GPUs that are held are told as all, or by how many are free") {
  const Cause full = with_held({8, 8}, 1);
  CHECK(full.code == Code::insufficient_gpus);
  CHECK(full.summary == "pod needs 1 GPU, and all on nodes open to it are held");
  CHECK(with_held({7, 8}, 2).summary == "pod needs 2 GPUs, and only 1 is free on nodes open to it");
  CHECK(with_held({7, 7}, 3).summary ==
        "pod needs 3 GPUs, and only 2 are free on nodes open to it");
  CHECK(with_held({4}, 8).summary == "pod needs 8 GPUs, and only 4 are free on nodes open to it");
}

TEST_CASE("GPUs are scattered where open nodes have enough of them together") {
  const Cause it = with_held({6, 5}, 5);
  CHECK(it.code == Code::gpus_scattered);
  CHECK(it.summary == "pod needs 5 GPUs on one node, and no node open to it has 5 free");
  REQUIRE(it.remarks.size() == 1);
  CHECK_THAT(
      it.remarks.front().text,
      Catch::StartsWith("5 GPUs are free on nodes open to it (3 + 2), but one pod cannot use "
                        "GPUs of two nodes"));
  CHECK(with_held({6, 5}, 6).code == Code::insufficient_gpus);
  CHECK_THAT(with_held({7, 7, 7, 7}, 2).remarks.front().text, Catch::Contains("(1 + 1 + 1 + 1)"));
  CHECK_THAT(with_held({7, 7, 7, 7, 7}, 2).remarks.front().text,
             Catch::Contains("(1 + 1 + 1 + 1 + ...)"));
}

TEST_CASE("free GPUs of closed nodes count for what is scattered, but not as open ones") {
  const std::vector<Pod> pods = {make::running("q1", "a", {}, 7), make::running("q2", "b", {}, 7),
                                 make::running("q3", "c", {}, 6)};
  const auto of = [&](std::int64_t wanted) {
    return cause({make::node("a", 8), make::node("b", 8), cordoned(make::node("c", 8))}, pods,
                 make::waiting("p", wanted));
  };
  CHECK(of(4).code == Code::gpus_scattered);
  CHECK_THAT(of(4).remarks.front().text, Catch::StartsWith("2 GPUs are free on nodes open to it"));
  CHECK(of(5).code == Code::insufficient_gpus);
  CHECK(of(5).summary == "pod needs 5 GPUs, and only 2 are free on nodes open to it");
}

TEST_CASE("a node that has the GPUs free, and too little else, is told before full ones") {
  Node small = make::node("a", 8);
  small.allocatable.set("cpu", Quantity::of(4));
  Node large = make::node("b", 8);
  large.allocatable.set("cpu", Quantity::of(64));
  Pod pod = make::waiting("p", 2);
  pod.containers.front().requests.set("cpu", Quantity::of(8));
  const Cause it = cause({small, large}, {make::running("q", "b", {}, 8)}, pod);
  CHECK(it.code == Code::insufficient_cpu);
  CHECK_THAT(it.summary, Catch::StartsWith("a has 8 GPUs free, but no more than 4 of the 8 cpu"));
  small.allocatable.set("pods", Quantity::of(0));
  small.allocatable.set("cpu", Quantity::of(64));
  CHECK(cause({small}, {}, pod).summary ==
        "a has 8 GPUs free, but runs 0 pods already, the most that it may");
}

TEST_CASE("a pod without GPUs is told of the node with the most room, unless another is closed") {
  const auto node = [](const std::string& name, std::int64_t cpu) {
    Node made = make::node(name, 0);
    made.allocatable.set("cpu", Quantity::of(cpu));
    return made;
  };
  Pod pod = make::waiting("p");
  pod.containers.front().requests.set("cpu", Quantity::of(8));
  CHECK(cause({node("a", 2), node("b", 4)}, {}, pod).summary ==
        "no node that the pod may run on has room: b has no more than 4 of the 8 cpu that the pod "
        "requests, even when empty");
  const Cause closed = cause({node("a", 2), cordoned(node("b", 64))}, {}, pod);
  CHECK(closed.code == Code::cordoned);
  CHECK(closed.summary == "b, the only node that would do, is cordoned");
}

TEST_CASE("a rule that keeps the pod off nodes with free GPUs is told before full nodes") {
  Pod pod = make::waiting("p", 1);
  PodAffinityTerm apart{.topology_key = "host"};
  apart.selector = ObjectSelector{.labels = {{"app", "x"}}};
  pod.placement.pod_anti_affinity = {apart};
  const std::vector<Node> nodes = {make::labelled("a", {{"host", "a"}}, 8),
                                   make::labelled("b", {{"host", "b"}}, 8)};
  const Pod holder = make::running("holder", "b", {}, 8);
  const Cause ruled = cause(nodes, {make::running("x", "a", {{"app", "x"}}), holder}, pod);
  CHECK(ruled.code == Code::pod_anti_affinity);
  const Cause held = cause(nodes, {make::running("y", "a", {}, 8), holder}, pod);
  CHECK(held.code == Code::insufficient_gpus);
}

TEST_CASE("GPUs that are ill are told where the pod would fit on them") {
  Node ill = make::node("a", 8);
  ill.allocatable.set("nvidia.com/gpu", Quantity::of(6));
  const Pod holder = make::running("q", "a", {}, 4);
  const Cause it = cause({ill}, {holder}, make::waiting("p", 4));
  CHECK(it.code == Code::gpu_unhealthy);
  CHECK_THAT(it.summary, Catch::StartsWith("pod needs 4 GPUs, and a would have them, but only "));
  CHECK_FALSE(it.advice.empty());
  CHECK(cause({ill}, {holder}, make::waiting("p", 5)).code == Code::insufficient_gpus);
}

}  // namespace nodes_cause_test
