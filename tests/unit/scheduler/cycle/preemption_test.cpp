#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace cycle_preemption_test {

using namespace gpu;
using make::Lines;

namespace {

Pod of_priority(Pod pod, std::int32_t priority) {
  pod.priority = priority;
  return pod;
}

scheduler::PreemptionVerdict preempted(const Snapshot& snapshot, const Pod& pod) {
  const scheduler::Cluster cluster(snapshot);
  return scheduler::preempt(cluster, pod, scheduler::judge(cluster, pod));
}

}  // namespace

TEST_CASE("each node says why ending pods does not help") {
  Snapshot snapshot = make::cluster(
      {make::node("a", 8), make::node("b", 8), make::node("c", 2), make::node("d", 8)},
      {of_priority(make::running("r", "a", {}, 8), 5),
       of_priority(make::running("s", "b", {}, 1), 1),
       of_priority(make::running("t", "b", {}, 7), 5), make::running("u", "d", {}, 8)});
  snapshot.nodes[3].unschedulable = true;
  const Pod pod = of_priority(make::waiting("p", 4), 5);
  CHECK(preempted(snapshot, pod).message ==
        "0/4 nodes are available: 1 Insufficient nvidia.com/gpu, 1 No preemption victims found for "
        "incoming pod, 2 Preemption is not helpful for scheduling.");
  CHECK(make::message(snapshot, pod) ==
        "0/4 nodes are available: 1 node(s) were unschedulable, 3 Insufficient nvidia.com/gpu. no "
        "new claims to deallocate, preemption: 0/4 nodes are available: 1 Insufficient "
        "nvidia.com/gpu, 1 No preemption victims found for incoming pod, 2 Preemption is not "
        "helpful for scheduling.");
}

TEST_CASE("where victims are found the message ends after the reasons") {
  const Snapshot snapshot = make::cluster(
      {make::node("a", 8), make::node("b", 8)},
      {make::running("r", "a", {}, 8), of_priority(make::running("s", "b", {}, 8), 9)});
  const Pod pod = of_priority(make::waiting("p", 8), 1);
  CHECK(preempted(snapshot, pod).message.empty());
  CHECK(preempted(snapshot, pod).nodes == std::vector<std::size_t>{0});
  CHECK(make::message(snapshot, pod) == "0/2 nodes are available: 2 Insufficient nvidia.com/gpu.");
}

TEST_CASE("a pod that may not preempt, and one that waits for those it preempted") {
  Pod victim = make::running("r", "a", {}, 8);
  const Snapshot snapshot = make::cluster({make::node("a", 8)}, {victim});
  Pod pod = of_priority(make::waiting("p", 8), 1);
  pod.preemption_policy = "Never";
  CHECK(preempted(snapshot, pod).message == "not eligible due to preemptionPolicy=Never.");
  CHECK(make::message(snapshot, pod) ==
        "0/1 nodes are available: 1 Insufficient nvidia.com/gpu. no new claims to deallocate, "
        "preemption: not eligible due to preemptionPolicy=Never.");

  pod.preemption_policy.clear();
  pod.nominated_node = "a";
  victim.deleted = Time{};
  CHECK(preempted(make::cluster({make::node("a", 8)}, {victim}), pod).message.empty());
  victim.conditions = {
      {.type = "DisruptionTarget", .status = "True", .reason = "PreemptionByScheduler"}};
  CHECK(preempted(make::cluster({make::node("a", 8)}, {victim}), pod).message ==
        "not eligible due to a terminating pod on the nominated node.");
  // Not where the node fails for good: then the pod looks for another.
  Node cordoned = make::node("a", 8);
  cordoned.unschedulable = true;
  CHECK(preempted(make::cluster({cordoned}, {victim}), pod).message ==
        "0/1 nodes are available: 1 Preemption is not helpful for scheduling.");
}

TEST_CASE("after the victims are gone other filters may refuse, and nominated pods hold places") {
  Pod loner = of_priority(make::running("l", "a"), 5);
  loner.placement.pod_anti_affinity = {
      {.selector = ObjectSelector{.labels = {{"app", "x"}}}, .topology_key = "host"}};
  Pod pod = of_priority(make::waiting("p", 8), 1);
  pod.labels = {{"app", "x"}};
  Snapshot snapshot = make::cluster({make::labelled("a", {{"host", "a"}}, 8)},
                                    {make::running("r", "a", {}, 8), loner});
  CHECK(preempted(snapshot, pod).message ==
        "0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules.");

  Pod nominated = of_priority(make::waiting("n", 8), 1);
  nominated.nominated_node = "a";
  snapshot = make::cluster({make::node("a", 8)}, {make::running("r", "a", {}, 8), nominated});
  CHECK(preempted(snapshot, pod).message ==
        "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.");
}

TEST_CASE("spread takes a terminating victim off a count that never held it") {
  Pod leaving = make::running("r", "a", {{"app", "x"}}, 8);
  leaving.deleted = Time{};
  Pod pod = of_priority(make::waiting("p", 8), 1);
  pod.labels = {{"app", "x"}};
  pod.placement.spread = {{.max_skew = 1,
                           .topology_key = "zone",
                           .when_unsatisfiable = "DoNotSchedule",
                           .selector = ObjectSelector{.labels = {{"app", "x"}}}}};
  const Snapshot snapshot = make::cluster(
      {make::labelled("a", {{"zone", "1"}}, 8), make::labelled("b", {{"zone", "2"}}, 1)},
      {leaving});
  // Zone 1 falls to -1 and takes the new pod: 0 - (-1) is a skew of 1.
  CHECK(preempted(snapshot, pod).nodes == std::vector<std::size_t>{0});
}

TEST_CASE("an error while victims are gone is all that is said of preemption") {
  Snapshot snapshot =
      make::cluster({make::node("a", 8), make::node("b", 8)},
                    {make::running("r", "a", {}, 8), make::running("s", "b", {}, 8)});
  snapshot.slice_coverage = snapshot.claim_coverage = Coverage::whole;
  snapshot.slices = {{.name = "slice",
                      .driver = "gpu.nvidia.com",
                      .pool = "a",
                      .generation = 1,
                      .slice_count = 1,
                      .is_on_all_nodes = true,
                      .devices = {{.name = "0"}}}};
  snapshot.device_classes = {{.name = "gpu", .selectors = {}}};
  ResourceClaim claim{.ns = "ml", .name = "mine"};
  claim.requests = {{.name = "r", .device_class = "gpu"}};
  claim.requests[0].selectors = {"device.attributes['gpu.nvidia.com'].model == 'x'"};
  snapshot.claims = {claim};
  Pod pod = of_priority(make::waiting("p", 8), 1);
  pod.claim_slots = {{.name = "slot", .claim = "mine"}};
  CHECK(
      make::message(snapshot, pod) ==
      "0/2 nodes are available: 2 Insufficient nvidia.com/gpu. preemption: running "
      "\"DynamicResources\" filter plugin: claim ml/mine: selector #0: CEL runtime error: no such "
      "key: model");
}

TEST_CASE("only pods of lower priority make room, of each node its own") {
  const Snapshot snapshot =
      make::cluster({make::node("a", 8), make::node("b", 8), make::node("c", 8)},
                    {of_priority(make::running("a1", "a", {}, 4), 1),
                     of_priority(make::running("a2", "a", {}, 4), 3),
                     of_priority(make::running("b1", "b", {}, 4), 2),
                     of_priority(make::running("b2", "b", {}, 4), 1),
                     of_priority(make::running("c1", "c", {}, 8), 3)});
  const auto nodes_for = [&](std::int64_t gpus, std::int32_t priority) {
    return preempted(snapshot, of_priority(make::waiting("p", gpus), priority)).nodes;
  };
  CHECK(nodes_for(4, 1).empty());
  CHECK(nodes_for(4, 2) == std::vector<std::size_t>{0, 1});
  CHECK(nodes_for(8, 2).empty());
  CHECK(nodes_for(8, 3) == std::vector<std::size_t>{1});
  CHECK(nodes_for(8, 9) == std::vector<std::size_t>{0, 1, 2});
}

}  // namespace cycle_preemption_test
