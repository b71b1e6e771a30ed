#include "diagnose/nodes/blocker_detail.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace nodes_blocker_detail_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

/// What is added to a blocker of the first node.
std::string detail(const Snapshot& snapshot, const Pod& pod, BlockerKind kind) {
  const Cluster cluster(snapshot);
  const Verdict verdict = judge(cluster, pod);
  const NodeReasons reasons(cluster, pod, verdict);
  return BlockerDetails(cluster, pod, reasons).detail(verdict.nodes.front(), kind);
}

Pod with_port(Pod pod, std::int32_t port) {
  pod.containers.front().ports.push_back({.port = port, .host_port = port});
  return pod;
}

}  // namespace

TEST_CASE("a blocker is told by what the scheduler's text leaves out") {
  Pod pod = with_port(make::waiting("p", 8), 9400);
  pod.node_selector = {{"zone", "b"}};
  Node node = make::labelled("a", {{"zone", "a"}}, 4);
  node.taints = {{.key = "dedicated", .value = "research", .effect = "NoSchedule"}};
  const Snapshot snapshot =
      make::cluster({node}, {with_port(make::running("exporter", "a", {}, 3), 9400)});
  CHECK(detail(snapshot, pod, BlockerKind::node_selector) == "zone=a");
  CHECK(detail(snapshot, pod, BlockerKind::taint) == "dedicated=research:NoSchedule");
  CHECK(detail(snapshot, pod, BlockerKind::port_taken) == "9400: ml/exporter");
  CHECK(detail(snapshot, pod, BlockerKind::few_gpus).empty());
}

TEST_CASE("the headline of a blocker speaks of all nodes that it rules out") {
  const Pod pod = with_port(make::waiting("p", 1), 9400);
  const Snapshot snapshot = make::cluster({make::node("a", 4), make::node("b", 4)},
                                          {with_port(make::running("x", "a", {}, 1), 9400),
                                           with_port(make::running("y", "b", {}, 1), 9400)});
  const Cluster cluster(snapshot);
  const Verdict verdict = judge(cluster, pod);
  const NodeReasons reasons(cluster, pod, verdict);
  const BlockerDetails details(cluster, pod, reasons);
  CHECK(details.headline(BlockerKind::port_taken, {{0}, "1 node", "all 1 node"}) ==
        "host port 9400 is taken on a, by ml/x");
  CHECK(details.headline(BlockerKind::port_taken, {{0, 1}, "2 nodes", "both nodes"}) ==
        "host port 9400 is taken on both nodes, by ml/x on a and ml/y on b");
  CHECK(details.headline(BlockerKind::few_free_gpus, {{0}, "1 node", "all 1 node"}).empty());
}

}  // namespace nodes_blocker_detail_test
