#include "diagnose/stack/added_nodes.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace stack_added_nodes_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

constexpr Time kAsked{std::chrono::seconds{1000}};

Node created(std::string name, std::int64_t after, const StringMap& labels = {}) {
  Node node = make::labelled(std::move(name), labels);
  node.created = kAsked + std::chrono::seconds{after};
  return node;
}

/// By whom the node was added for a pod that requests `resource`, after this event of it.
std::string added_by(const Node& node, const std::string& reason, const std::string& message,
                     std::string_view resource = "nvidia.com/gpu", Vendor vendor = Vendor::nvidia) {
  Pod pod = make::pod("train", "", 1, resource);
  pod.uid = "train";
  Snapshot snapshot = make::cluster({node}, {pod});
  snapshot.scheduling.events = {{.ns = "ml",
                                 .reason = reason,
                                 .message = message,
                                 .kind = "Pod",
                                 .object = "train",
                                 .object_uid = "train",
                                 .first = kAsked}};
  return std::string(AddedNodes(Cluster(snapshot)).added_by(node, vendor).value_or(""));
}

}  // namespace

TEST_CASE("Karpenter names the node that it nominated") {
  constexpr const char* kWords = "Pod should schedule on: nodeclaim/gpu-x, node/ip-10-0-1-2";
  CHECK(added_by(created("ip-10-0-1-2", -50), "Nominated", kWords) == "Karpenter");
  CHECK(added_by(created("ip-10-0-1-23", 60), "Nominated", kWords).empty());
  CHECK(added_by(created("ip-10-0-1-2", 60), "Nominated", kWords, "cpu").empty());
  CHECK(added_by(created("ip-10-0-1-2", 60), "Nominated", kWords, "amd.com/gpu").empty());
  CHECK(added_by(created("ip-10-0-1-2", 60), "Scheduled", kWords).empty());
}

TEST_CASE("cluster-autoscaler names the group, of which the new nodes count") {
  const StringMap gke = {{"cloud.google.com/gke-nodepool", "gpu-l4"}};
  constexpr const char* kWords =
      "pod triggered scale-up: [{https://example.com/instanceGroups/gke-prod-gpu-l4-1a2b-grp 0->1 "
      "(max: 4)}]";
  CHECK(added_by(created("n", 90, gke), "TriggeredScaleUp", kWords) == "cluster-autoscaler");
  CHECK(added_by(created("n", -90, gke), "TriggeredScaleUp", kWords).empty());
  CHECK(added_by(created("n", 90), "TriggeredScaleUp", kWords).empty());
  CHECK(added_by(created("n", 90, {{"agentpool", "gpu"}}), "TriggeredScaleUp", kWords) ==
        "cluster-autoscaler");
  CHECK(added_by(created("n", 90, {{"agentpool", "gpu-l"}}), "TriggeredScaleUp", kWords).empty());
}

TEST_CASE("of several groups each is looked at") {
  CHECK(added_by(created("n", 90, {{"eks.amazonaws.com/nodegroup", "b"}}), "TriggeredScaleUp",
                 "pod triggered scale-up: [{eks-a-1 0->1 (max: 4)} {eks-b-2 0->1 (max: 4)}]") ==
        "cluster-autoscaler");
}

}  // namespace stack_added_nodes_test
