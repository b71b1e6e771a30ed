#include "scheduler/cycle/messages.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace cycle_messages_test {

using namespace gpu;
using namespace gpu::scheduler;

TEST_CASE("reasons are sorted as text, with their counts") {
  CHECK(unavailable_head(12) + unavailable_body({{"b", 2}, {"a", 10}, {"c", 2}}) ==
        "0/12 nodes are available: 10 a, 2 b, 2 c.");
  CHECK(unavailable_body({}).empty());
}

TEST_CASE("plugins are listed sorted and once") {
  CHECK(list_of({Filter::volume_binding, Filter::node_affinity, Filter::volume_binding}) ==
        "[NodeAffinity VolumeBinding]");
  CHECK(nothing_left_text({Filter::node_affinity}) == "node(s) didn't satisfy plugin NodeAffinity");
  CHECK(nothing_left_text({Filter::volume_binding, Filter::node_affinity}) ==
        "node(s) didn't satisfy plugin(s) [NodeAffinity VolumeBinding] simultaneously");
}

TEST_CASE("the first rejection for good counts, else the last") {
  Verdict verdict;
  CHECK(decisive_rejection(verdict) == nullptr);
  verdict.rejections = {{Filter::node_affinity, Rejection::unschedulable, "a"},
                        {Filter::volume_binding, Rejection::unschedulable, "b"}};
  CHECK(decisive_rejection(verdict)->message == "b");
  verdict.rejections.insert(verdict.rejections.begin() + 1,
                            {Filter::volume_zone, Rejection::unresolvable, "c"});
  CHECK(decisive_rejection(verdict)->message == "c");
}

TEST_CASE("no nodes, a fit, and an error have texts of their own") {
  const Pod pod = make::waiting("p", 1);
  CHECK(make::message(make::cluster({}), pod) == "no nodes available to schedule pods");
  const Snapshot snapshot = make::cluster({make::node("a", 1)});
  CHECK(make::message(snapshot, pod).empty());
  const Cluster cluster(snapshot);
  Verdict verdict = judge(cluster, pod);
  verdict.error = "running \"DynamicResources\" filter plugin: x";
  CHECK(predicted_message(cluster, pod, verdict) == *verdict.error);
}

TEST_CASE("what a rejected pod's message ends with depends on where it was rejected") {
  const Snapshot snapshot = make::cluster({make::node("a", 1), make::node("b", 1)});
  const Cluster cluster(snapshot);
  const Pod pod = make::waiting("p", 1);
  Verdict verdict = judge(cluster, pod);
  verdict.rejections = {{Filter::dynamic_resources, Rejection::unresolvable,
                         "request gpu: device class gpu.nvidia.com does not exist"}};
  CHECK(predicted_message(cluster, pod, verdict) ==
        "0/2 nodes are available: request gpu: device class gpu.nvidia.com does not exist. no new "
        "claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful "
        "for scheduling.");
  verdict.claims = Verdict::Claims::not_reached;
  verdict.rejections[0].message = "x";
  CHECK(predicted_message(cluster, pod, verdict) == "0/2 nodes are available: x. not found");
}

TEST_CASE("claims change the words before preemption") {
  const Snapshot snapshot = make::cluster({make::node("a", 0)});
  const Cluster cluster(snapshot);
  const Pod pod = make::waiting("p", 1);
  Verdict verdict = judge(cluster, pod);
  const std::string head = "0/1 nodes are available: 1 Insufficient nvidia.com/gpu. ";
  const std::string tail =
      ", preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";
  verdict.claims = Verdict::Claims::pending;
  CHECK(predicted_message(cluster, pod, verdict) == head + "still not schedulable" + tail);
  verdict.claims = Verdict::Claims::deallocatable;
  CHECK(predicted_message(cluster, pod, verdict) ==
        head + "deallocation of ResourceClaim completed" + tail);
}

TEST_CASE("one node may give several reasons, and only those of its first filter") {
  Node node = make::node("a", 0);
  node.allocatable.set("pods", Quantity::of(0));
  Pod pod = make::waiting("p", 1);
  CHECK(
      make::message(make::cluster({node}), pod)
          .starts_with("0/1 nodes are available: 1 Insufficient nvidia.com/gpu, 1 Too many pods."));
  node.taints = {{"k", "v", "NoSchedule"}};
  CHECK(make::message(make::cluster({node}), pod)
            .starts_with("0/1 nodes are available: 1 node(s) had untolerated taint(s). "));
}

TEST_CASE("before 1.34 a message does not speak of claims, and a lasting shortage is like any") {
  const auto said = [](std::string version) {
    return make::message(make::cluster({make::node("a", 4)}, {}, std::move(version)),
                         make::waiting("p", 8));
  };
  const std::string head = "0/1 nodes are available: 1 Insufficient nvidia.com/gpu. ";
  const std::string no_victims =
      "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.";
  CHECK(said("v1.30.14") == head + no_victims);
  CHECK(said("v1.33.13") == head + no_victims);
  CHECK(said("v1.34.4") ==
        head +
            "no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not "
            "helpful for scheduling.");
}

TEST_CASE("where DRA is used before 1.34, its words are there; 1.33 is silent without claims") {
  const auto said = [](std::string version) {
    Snapshot snapshot = make::cluster({make::node("a", 4)}, {}, std::move(version));
    snapshot.device_classes.resize(1);
    return make::message(snapshot, make::waiting("p", 8));
  };
  const std::string head = "0/1 nodes are available: 1 Insufficient nvidia.com/gpu. ";
  CHECK(said("v1.32.13").starts_with(head + "no new claims to deallocate, preemption: "));
  CHECK(said("v1.33.13").starts_with(head + "preemption: "));
}

TEST_CASE("nodes that a PreFilter left out are counted since 1.32") {
  const auto said = [](std::string version) {
    Pod pod = make::waiting("p", 1);
    NodeSelectorTerm only_b;
    only_b.fields = {{"metadata.name", "In", {"b"}}};
    pod.placement.node_affinity = NodeSelector{only_b};
    return make::message(
        make::cluster({make::node("a", 4), make::node("b", 0)}, {}, std::move(version)), pod);
  };
  CHECK(said("v1.31.13").starts_with("0/2 nodes are available: 1 Insufficient nvidia.com/gpu. "));
  CHECK(said("v1.32.13")
            .starts_with("0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) didn't "
                         "satisfy plugin(s) "
                         "[NodeAffinity]. "));
}

}  // namespace cycle_messages_test
