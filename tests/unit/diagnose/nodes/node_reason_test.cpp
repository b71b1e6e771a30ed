#include "diagnose/nodes/node_reason.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace nodes_node_reason_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

/// What is asked of the reasons for a pod, on the first node.
template <class Ask>
auto ask(const std::vector<Node>& nodes, const std::vector<Pod>& pods, const Pod& pod, Ask of) {
  const Snapshot snapshot = make::cluster(nodes, pods);
  const scheduler::Cluster cluster(snapshot);
  const scheduler::Verdict verdict = scheduler::judge(cluster, pod);
  const NodeReasons reasons(cluster, pod, verdict);
  return of(cluster, reasons, verdict.nodes.front());
}

BlockerKinds kinds(const Node& node, const Pod& pod, const std::vector<Pod>& pods = {}) {
  return ask({node}, pods, pod,
             [](const auto&, const NodeReasons& reasons, const scheduler::NodeVerdict& at) {
               return reasons.kinds_of(at);
             });
}

std::string title(const Node& node, const Pod& pod, BlockerKind kind) {
  return ask({node}, {}, pod,
             [&](const auto&, const NodeReasons& reasons, const scheduler::NodeVerdict& at) {
               return reasons.blocker_of(at, kind).title;
             });
}

Node tainted(const std::vector<std::string>& keys) {
  Node made = make::node("a", 8);
  for (const std::string& key : keys) made.taints.push_back({key, "", "NoSchedule", {}});
  return made;
}

Pod requesting(const std::string& resource, std::int64_t amount, std::int64_t gpus = 0) {
  Pod made = make::waiting("p", gpus);
  made.containers.front().requests.set(resource, Quantity::of(amount));
  return made;
}

const std::string kCordon = "node.kubernetes.io/unschedulable";

}  // namespace

TEST_CASE("a node has no GPUs, too few of them, or too few that are free") {
  const Node node = make::node("a", 8);
  CHECK(kinds(node, make::waiting("p", 8)).empty());
  CHECK(kinds(node, make::waiting("p", 9)) == BlockerKinds{BlockerKind::few_gpus});
  CHECK(kinds(node, make::waiting("p", 8), {make::running("q", "a", {}, 1)}) ==
        BlockerKinds{BlockerKind::few_free_gpus});
  CHECK(kinds(make::node("a", 0), make::waiting("p", 1)) == BlockerKinds{BlockerKind::no_gpus});
}

TEST_CASE("GPUs that are ill are the reason only where the pod would fit on all of them") {
  Node ill = make::node("a", 8);
  ill.allocatable.set("nvidia.com/gpu", Quantity::of(7));
  CHECK(kinds(ill, make::waiting("p", 8)) == BlockerKinds{BlockerKind::unhealthy_gpus});
  CHECK(kinds(ill, make::waiting("p", 9)) == BlockerKinds{BlockerKind::few_gpus});
  CHECK(kinds(ill, make::waiting("p", 7), {make::running("q", "a", {}, 1)}) ==
        BlockerKinds{BlockerKind::unhealthy_gpus});
  CHECK(kinds(ill, make::waiting("p", 7), {make::running("q", "a", {}, 2)}) ==
        BlockerKinds{BlockerKind::few_free_gpus});
}

TEST_CASE("of several taints illness counts, and a cordon's own taint does not beside the cordon") {
  const Pod pod = make::waiting("p", 1);
  CHECK(kinds(tainted({"team"}), pod) == BlockerKinds{BlockerKind::taint});
  CHECK(kinds(tainted({kCordon}), pod) == BlockerKinds{BlockerKind::cordoned});
  CHECK(kinds(tainted({"team", "node.kubernetes.io/not-ready"}), pod) ==
        BlockerKinds{BlockerKind::not_ready});
  Node cordoned = tainted({kCordon});
  cordoned.unschedulable = true;
  CHECK(kinds(cordoned, pod) == BlockerKinds{BlockerKind::cordoned});
  Node both = tainted({kCordon, "team"});
  both.unschedulable = true;
  CHECK(kinds(both, pod).size() == 2);
  CHECK(kinds(both, pod).has(BlockerKind::taint));
}

TEST_CASE("GPUs of another name, and other resources, are titled by the name that is short") {
  CHECK(title(make::node("a", 8, "amd.com/gpu"), make::waiting("p", 1), BlockerKind::no_gpus) ==
        "no nvidia.com/gpu");
  CHECK(title(make::node("a", 0), make::waiting("p", 1), BlockerKind::no_gpus) ==
        std::string(text_of(BlockerKind::no_gpus)));
  Node node = make::node("a", 8);
  node.allocatable.set("example.com/nic", Quantity::of(1));
  CHECK(title(node, requesting("example.com/nic", 2), BlockerKind::few_resources) ==
        "too few example.com/nic");
  CHECK(ask({node}, {}, requesting("example.com/nic", 2),
            [](const auto&, const NodeReasons& reasons, const scheduler::NodeVerdict& at) {
              CHECK(reasons.resource_of(at, BlockerKind::little_memory).empty());
              return std::string(reasons.resource_of(at, BlockerKind::few_resources));
            }) == "example.com/nic");
}

TEST_CASE("what is free on a node is counted over all GPUs that the pod requests") {
  Node node = make::node("a", 8);
  node.allocatable.set("amd.com/gpu", Quantity::of(4));
  const auto free = [&](const Pod& pod, const std::vector<Pod>& pods = {}) {
    return ask({node}, pods, pod,
               [](const auto&, const NodeReasons& reasons, const scheduler::NodeVerdict& at) {
                 return free_gpus_on(at.node, reasons);
               });
  };
  CHECK(free(make::waiting("p", 1)) == 8);
  CHECK(free(requesting("amd.com/gpu", 1, 1)) == 12);
  CHECK(free(make::waiting("p", 1), {make::running("q", "a", {}, 3)}) == 5);
  CHECK(free(make::waiting("p", 1), {make::running("q", "a", {}, 9)}) == 0);
  CHECK(free(make::waiting("p")) == 0);
}

TEST_CASE("the share that is free is of the resource that is shortest") {
  Node node = make::node("a", 8);
  node.allocatable.set("cpu", Quantity::of(4));
  node.allocatable.set("memory", Quantity::of(1000));
  Pod pod = requesting("cpu", 8);
  const auto share = [&](const Pod& of) {
    return ask({node}, {}, of,
               [](const auto&, const NodeReasons& reasons, const scheduler::NodeVerdict& at) {
                 return share_free_on(at.node, reasons);
               });
  };
  CHECK(share(pod) == 0.5);
  pod.containers.front().requests.set("memory", Quantity::of(4000));
  CHECK(share(pod) == 0.25);
  CHECK(share(requesting("cpu", 1)) == 1);
}

TEST_CASE("free GPUs are known only of a node that advertises those that the pod requests") {
  const auto free = [](const Node& node, const Pod& pod) {
    return ask({node}, {}, pod,
               [](const scheduler::Cluster& cluster, const NodeReasons& reasons,
                  const scheduler::NodeVerdict& at) {
                 return free_of_advertised(cluster, at.node, reasons);
               });
  };
  CHECK(free(make::node("a", 8), make::waiting("p", 1)) == 8);
  CHECK_FALSE(free(make::node("a", 0), make::waiting("p", 1)));
  CHECK_FALSE(free(make::node("a", 8), make::waiting("p")));
}

TEST_CASE("a resource is offered by nodes that the pod selects, held or not") {
  const auto is_offered = [](const StringMap& selector) {
    Pod pod = make::waiting("p", 1);
    pod.node_selector = selector;
    return ask({make::labelled("a", {{"zone", "x"}}), make::labelled("b", {{"zone", "y"}}, 8)},
               {make::running("q", "b", {}, 8)}, pod,
               [](const auto&, const NodeReasons& reasons, const auto&) {
                 const bool first = reasons.is_offered(reasons.gpus().front().resource);
                 CHECK(reasons.is_offered(reasons.gpus().front().resource) == first);
                 return first;
               });
  };
  CHECK(is_offered({}));
  CHECK(is_offered({{"zone", "y"}}));
  CHECK_FALSE(is_offered({{"zone", "x"}}));
}

}  // namespace nodes_node_reason_test
