#include "diagnose/nodes/node_groups.hpp"

#include <catch2/catch.hpp>

#include "base/phrase.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace nodes_node_groups_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

/// The nodes' names in the order of the answer: "a, b | c" are two groups.
std::string grouped(const std::vector<Node>& nodes, const std::string& resource) {
  Pod pod = make::waiting("p");
  pod.containers.front().requests.set(resource, Quantity::of(1));
  const Snapshot snapshot = make::cluster(nodes, {pod});
  const Cluster cluster(snapshot);
  const Verdict verdict = judge(cluster, pod);
  std::string text;
  for (const NodeGroup& group :
       groups_of(cluster, pod, verdict, NodeReasons(cluster, pod, verdict))) {
    std::vector<std::string> names;
    for (const NearNode& node : group.nodes) names.push_back(node.name);
    text += (text.empty() ? "" : " | ") + joined(names);
  }
  return text;
}

}  // namespace

TEST_CASE("of nodes without the GPUs that are asked for, those with the nearest name come first") {
  const std::vector<Node> nodes = {make::node("a", 0), make::node("b", 8, "amd.com/gpu"),
                                   make::node("c", 8)};
  CHECK(grouped(nodes, "nvidia.com/gpus") == "c, b, a");
  CHECK(grouped(nodes, "gpu.intel.com/i915") == "b, c, a");
}

TEST_CASE("so do groups, whatever else rules their nodes out") {
  const auto cordoned = [](Node node) {
    node.unschedulable = true;
    return node;
  };
  const auto tainted = [](Node node) {
    node.taints = {{.key = "team", .value = "a", .effect = "NoSchedule"}};
    return node;
  };
  const Node other = make::node("b", 8, "amd.com/gpu");
  const Node near = make::node("c", 8);
  CHECK(grouped({tainted(other), cordoned(near)}, "nvidia.com/gpus") == "c | b");
  CHECK(grouped({cordoned(other), tainted(near)}, "nvidia.com/gpus") == "c | b");
}

TEST_CASE("of the taints in a group up to three are named, else two and how many others") {
  const auto detail_of = [](const std::vector<std::string>& keys) {
    std::vector<Node> nodes;
    for (const std::string& key : keys) {
      Node node = make::node(key, 8);
      node.taints = {{.key = key, .value = "", .effect = "NoSchedule"}};
      nodes.push_back(node);
    }
    Pod pod = make::waiting("p");
    pod.containers.front().requests.set("nvidia.com/gpu", Quantity::of(1));
    const Snapshot snapshot = make::cluster(nodes, {pod});
    const Cluster cluster(snapshot);
    const Verdict verdict = judge(cluster, pod);
    const auto groups = groups_of(cluster, pod, verdict, NodeReasons(cluster, pod, verdict));
    REQUIRE(groups.size() == 1);
    REQUIRE(groups.front().blockers.size() == 1);
    return groups.front().blockers.front().detail;
  };
  CHECK(detail_of({"a", "b"}) == "a:NoSchedule or b:NoSchedule");
  CHECK(detail_of({"a", "b", "c"}) == "a:NoSchedule, b:NoSchedule or c:NoSchedule");
  CHECK(detail_of({"a", "b", "c", "d"}) == "a:NoSchedule, b:NoSchedule or 2 others");
  CHECK(detail_of({"a", "b", "c", "d", "e"}) == "a:NoSchedule, b:NoSchedule or 3 others");
}

}  // namespace nodes_node_groups_test
