#include <catch2/catch.hpp>

#include "diagnose/explain/explain.hpp"
#include "diagnose/owners/named_owner.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace explain_others_words_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

Event event(const std::string& kind, const std::string& name, const std::string& message,
            const std::string& reporter, const std::string& reason = "FailedScheduling") {
  Event made{.ns = "ml", .type = "Warning", .reason = reason, .message = message};
  made.kind = kind;
  made.object = name;
  made.reporter = reporter;
  return made;
}

/// A pod that no node has room for.
Explanation with_event(const Event& event) {
  Snapshot snapshot = make::cluster({make::node("n1", 1)}, {make::running("busy", "n1", {}, 1)});
  snapshot.scheduling.events = {event};
  return explain(Cluster(snapshot), make::waiting("train-0", 1), {});
}

}  // namespace

TEST_CASE("a NodePool at its limits is named, in each form of Karpenter's words") {
  for (const char* const message :
       {"Failed to schedule pod, incompatible with nodepool \"cpu\", no instance type; all "
        "available "
        "instance types exceed limits for nodepool (NodePool=gpus)",
        "all available instance types exceed limits for nodepool: \"gpus\"",
        "all available instance types exceed limits for nodepool \"gpus\""}) {
    const Explanation it = with_event(event("Pod", "train-0", message, "karpenter"));
    CHECK(it.code == Code::autoscaler_limit);
    CHECK(it.summary ==
          "no node has room, and Karpenter may add none: the limits of NodePool gpus are reached");
    REQUIRE_FALSE(it.advice.empty());
    CHECK(it.advice.front().command == "kubectl edit nodepool gpus");
  }
}

TEST_CASE("of several NodePools the one that the pod is for is told") {
  const std::string cpu = "all available instance types exceed limits for nodepool (NodePool=cpu)";
  const Explanation tainted =
      with_event(event("Pod", "train-0",
                       "Failed to schedule pod, " + cpu +
                           "; incompatible with nodepool \"gpus\", did not tolerate taint "
                           "nvidia.com/gpu=true:NoSchedule",
                       "karpenter"));
  CHECK(tainted.code == Code::autoscaler_no_match);
  CHECK(tainted.summary.find("NodePool cpu") == std::string::npos);
  Snapshot snapshot = make::cluster({make::node("n1", 1)});
  snapshot.scheduling.events = {
      event("Pod", "train-0",
            cpu + "; all available instance types exceed limits for nodepool (NodePool=gpus)",
            "karpenter")};
  Pod pod = make::waiting("train-0", 1);
  pod.node_selector = {{"karpenter.sh/nodepool", "gpus"}};
  const Explanation selected = explain(Cluster(snapshot), pod, {});
  CHECK(selected.code == Code::autoscaler_limit);
  CHECK(selected.summary ==
        "no node has the labels that it selects, and Karpenter may add none: the limits of "
        "NodePool gpus are reached");
  REQUIRE_FALSE(selected.advice.empty());
  CHECK(selected.advice.front().command == "kubectl edit nodepool gpus");
}

TEST_CASE("labels that no node group has stay the reason") {
  Snapshot snapshot = make::cluster({make::node("n1", 1)});
  snapshot.scheduling.events = {
      event("Pod", "train-0",
            "pod didn't trigger scale-up: 1 node(s) didn't match Pod's node affinity/selector",
            "cluster-autoscaler", "NotTriggerScaleUp")};
  Pod pod = make::waiting("train-0", 1);
  pod.node_selector = {{"pool", "gpsu"}};
  CHECK(explain(Cluster(snapshot), pod, {}).code == Code::node_selector_mismatch);
}

TEST_CASE("cluster-autoscaler's reason is the headline, and each has its advice") {
  const Explanation full = with_event(
      event("Pod", "train-0", "pod didn't trigger scale-up: 1 max node group size reached",
            "cluster-autoscaler", "NotTriggerScaleUp"));
  CHECK(full.code == Code::autoscaler_limit);
  CHECK(full.summary ==
        "no node has room, and cluster-autoscaler may add none: 1 max node group size reached");
  const Explanation unfit = with_event(
      event("Pod", "train-0", "pod didn't trigger scale-up: 1 Insufficient nvidia.com/gpu",
            "cluster-autoscaler", "NotTriggerScaleUp"));
  CHECK(unfit.code == Code::autoscaler_no_match);
  REQUIRE_FALSE(unfit.advice.empty());
  CHECK(unfit.advice.front().summary.find("node-template/resources") != std::string::npos);
}

TEST_CASE("a node on its way is waited for, unless that is long ago") {
  Snapshot snapshot = make::cluster({make::node("n1", 8)}, {make::running("other", "n1", {}, 8)});
  Event bringing = event("Pod", "train-0", "pod triggered scale-up: [{pool 0->1 (max: 4)}]",
                         "cluster-autoscaler", "TriggeredScaleUp");
  bringing.last = Time{} + std::chrono::hours(1);
  snapshot.scheduling.events = {bringing};
  const Pod pod = make::waiting("train-0", 1);
  const Cluster cluster(snapshot);
  const Explanation soon = explain(cluster, pod, {.now = *bringing.last + std::chrono::minutes(2)});
  REQUIRE_FALSE(soon.advice.empty());
  CHECK(soon.advice.front().summary ==
        "wait for the node: cluster-autoscaler said 2m ago that it brings one: pod triggered "
        "scale-up: [{pool 0->1 (max: 4)}]");
  CHECK_FALSE(soon.fixes.empty());
  const auto at = [&](const std::optional<Time>& now) {
    const Explanation answer = explain(cluster, pod, {.now = now});
    CHECK(answer.remarks.back().text.starts_with("cluster-autoscaler says: pod triggered"));
    return answer.advice.empty() ? "" : answer.advice.front().summary;
  };
  CHECK(at({}).empty());
  CHECK(at(*bringing.last + std::chrono::hours(1)).starts_with("see why the node has not come"));
}

TEST_CASE("only warnings of the pod's own group are quoted") {
  Snapshot snapshot = make::cluster({make::node("n1", 8)});
  Pod pod = make::waiting("train-0", 3);
  pod.owners = {{.kind = "Job", .name = "train", .uid = "5f0c", .controller = true}};
  pod.conditions = {{.type = "PodScheduled",
                     .status = "False",
                     .reason = "Unschedulable",
                     .message = "pod group is not ready, 1 Pending, 1 minAvailable"}};
  snapshot.scheduling.events = {
      event("PodGroup", "other", "queue resource quota insufficient", "volcano", "Unschedulable")};
  const Explanation alone = explain(Cluster(snapshot), pod, {});
  CHECK(alone.code == Code::gang_waiting);
  CHECK(alone.summary ==
        "its group of pods does not start yet: pod group is not ready, 1 Pending, 1 minAvailable");
  for (const char* const name : {"train-5f0c", "podgroup-5f0c", "train"}) {
    snapshot.scheduling.events.back().object = name;
    CHECK(explain(Cluster(snapshot), pod, {}).summary ==
          std::string("Volcano's queue does not let its PodGroup ") + name +
              " in: queue resource quota insufficient");
  }
}

TEST_CASE("a group that its queue keeps out is told without a word of the scheduler, or a pod") {
  Snapshot snapshot = make::cluster({make::node("n1", 8)});
  snapshot.scheduling.events = {event("PodGroup", "train-5f0c", "queue resource quota insufficient",
                                      "volcano", "Unschedulable")};
  Pod pod = make::waiting("train-0", 3);
  pod.scheduler_name = "volcano";
  pod.owners = {{.kind = "Job", .name = "train", .uid = "5f0c", .controller = true}};
  CHECK(explain(Cluster(snapshot), pod, {}).code == Code::gang_waiting);
  pod.owners.front().uid = "another";
  CHECK(explain(Cluster(snapshot), pod, {}).code != Code::gang_waiting);
  const Owner owner{
      .kind = "Job", .name = "train", .uid = "5f0c", .api_version = "batch.volcano.sh/v1alpha1"};
  snapshot.scheduling.workload_objects = {{.kind = "Job",
                                           .api_version = owner.api_version,
                                           .ns = "ml",
                                           .name = "train",
                                           .uid = "5f0c"}};
  const auto answer = missing_pods(Cluster(snapshot), "ml", owner, {});
  REQUIRE(answer);
  CHECK(answer->code == Code::gang_waiting);
  CHECK(answer->summary ==
        "Volcano's queue does not let its PodGroup train-5f0c in: queue resource quota "
        "insufficient");
}

TEST_CASE("a driver is blamed only on nodes with MIG, and while nothing has started") {
  Node node = make::labelled("n1",
                             {{"nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3"},
                              {"nvidia.com/cuda.driver-version.full", "570.133.20"}},
                             8);
  Pod pod = make::pod("train-0", "n1", 1);
  pod.phase = "Pending";
  pod.conditions = {{.type = "PodScheduled", .status = "True"}};
  pod.conditions.front().last_transition = Time{std::chrono::seconds{0}};
  const ExplainOptions options{.now = Time{std::chrono::hours{1}}};
  const auto code = [&](const Snapshot& snapshot) {
    return explain(Cluster(snapshot), pod, options).code;
  };
  CHECK(code(make::cluster({node}, {pod})) == Code::starting);
  node.capacity.set("nvidia.com/mig-1g.10gb", Quantity::of(7));
  Snapshot snapshot = make::cluster({node}, {pod});
  CHECK(code(snapshot) == Code::runtime_missing);
  snapshot.scheduling.events = {event("Pod", "train-0", "Pulling image", "kubelet", "Pulling")};
  CHECK(code(snapshot) == Code::starting);
  // The release may be known by the driver's own pod alone.
  node.labels = {};
  Pod driver = make::running("driver-x", "n1");
  driver.containers.front().image = "nvcr.io/nvidia/driver:570.133.20-ubuntu22.04";
  CHECK(code(make::cluster({node}, {pod, driver})) == Code::runtime_missing);
  driver.containers.front().image = "nvcr.io/nvidia/driver:570.172.08-ubuntu22.04";
  CHECK(code(make::cluster({node}, {pod, driver})) == Code::starting);
}

TEST_CASE(
    "what no plugin of kube-scheduler says is the headline where nothing else is in the way") {
  Pod pod = make::waiting("train-0", 1);
  pod.conditions = {
      {.type = "PodScheduled",
       .status = "False",
       .reason = "Unschedulable",
       .message = "0/2 nodes are available: 1 node unregistered, 1 Insufficient nvidia.com/gpu. no "
                  "new claims to deallocate, preemption: 0/2 nodes are available: 2 No preemption "
                  "victims found for incoming pod."}};
  const Snapshot snapshot = make::cluster({make::node("n1", 8)});
  const Explanation it = explain(Cluster(snapshot), pod, {});
  CHECK(it.code == Code::not_modelled);
  CHECK(it.summary == "the scheduler sees what is not modelled here: 1 node unregistered");
  pod.conditions.front().message = "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.";
  CHECK(explain(Cluster(snapshot), pod, {}).summary ==
        "nothing keeps it waiting now: it fits on n1, but the scheduler has not bound it");
}

}  // namespace explain_others_words_test
