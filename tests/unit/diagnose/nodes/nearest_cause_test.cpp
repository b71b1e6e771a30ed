#include "diagnose/nodes/nearest_cause.hpp"

#include <catch2/catch.hpp>

#include "diagnose/explain/explain.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace nodes_nearest_cause_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

Node tainted(const std::string& name, const std::vector<std::string>& keys) {
  Node made = make::node(name, 8);
  for (const std::string& key : keys) made.taints.push_back({key, "", "NoSchedule", {}});
  return made;
}

std::string headline(const std::vector<Node>& nodes) {
  const Snapshot snapshot = make::cluster(nodes);
  return explain(scheduler::Cluster(snapshot), make::waiting("train-0", 1), {}).summary;
}

}  // namespace

TEST_CASE("two taints of a node are named, and the others counted") {
  CHECK(headline({tainted("n1", {"a", "b"})}) ==
        "pod does not tolerate a:NoSchedule and b:NoSchedule of n1, the only node with free GPUs");
  CHECK(
      headline({tainted("n1", {"a", "b", "c"})}) ==
      "pod does not tolerate a:NoSchedule and b:NoSchedule, and 1 more taint of n1, the only node "
      "with free GPUs");
  CHECK(
      headline({tainted("n1", {"a", "b", "c", "d"})}) ==
      "pod does not tolerate a:NoSchedule and b:NoSchedule, and 2 more taints of n1, the only node "
      "with free GPUs");
}

TEST_CASE("taints that all nodes have are named once") {
  CHECK(headline({tainted("n1", {"a"}), tainted("n2", {"a"})}) ==
        "pod does not tolerate a:NoSchedule of the 2 nodes with free GPUs");
}

TEST_CASE("the taint of a cordon is part of the cordon, and no taint of its own") {
  Node node = tainted("n1", {"node.kubernetes.io/unschedulable", "a"});
  CHECK(headline({node}) ==
        "pod does not tolerate node.kubernetes.io/unschedulable:NoSchedule and a:NoSchedule of n1, "
        "the only node with free GPUs");
  node.unschedulable = true;
  node.taints.push_back({"b", "", "NoSchedule", {}});
  node.taints.push_back({"c", "", "NoSchedule", {}});
  const Snapshot snapshot = make::cluster({node});
  const scheduler::Cluster cluster(snapshot);
  Pod pod = make::waiting("train-0", 1);
  pod.tolerations = {
      {.key = "node.kubernetes.io/unschedulable", .op = "Exists", .effect = "NoExecute"}};
  const scheduler::Verdict verdict = scheduler::judge(cluster, pod);
  const NodeReasons reasons(cluster, pod, verdict);
  Candidate candidate{.verdict = &verdict.nodes.front(), .kinds = {BlockerKind::taint}};
  CHECK(
      nearest_cause(cluster, pod, reasons, {candidate}).summary ==
      "pod does not tolerate a:NoSchedule and b:NoSchedule, and 1 more taint of n1, the only node "
      "with free GPUs");
}

TEST_CASE("taints that differ are told of the nearest node") {
  CHECK(headline({tainted("n1", {"a"}), tainted("n2", {"b"})}) ==
        "pod does not tolerate the taints of the 2 nodes with free GPUs: a:NoSchedule of n1, and "
        "others");
}

TEST_CASE("the nearest node of the table is told with what would open it") {
  const auto nearest = [](const Node& node, std::int64_t gpus, const std::vector<Pod>& pods = {}) {
    const Snapshot snapshot = make::cluster({node}, pods);
    return explain(scheduler::Cluster(snapshot), make::waiting("train-0", gpus), {}).nearest;
  };
  CHECK(nearest(tainted("n1", {"a"}), 1) == "n1, with 1 toleration");
  CHECK(nearest(tainted("n1", {"a", "b"}), 1) == "n1, with 2 tolerations");
  Node cordoned = make::node("n1", 8);
  cordoned.unschedulable = true;
  CHECK(nearest(cordoned, 1) == "n1, if uncordoned");
  CHECK(nearest(make::node("n1", 8), 4, {make::running("q", "n1", {}, 5)}) == "n1 (3 free)");
  CHECK(nearest(make::node("n1", 8), 9) == "n1 (8 free)");
}

}  // namespace nodes_nearest_cause_test
