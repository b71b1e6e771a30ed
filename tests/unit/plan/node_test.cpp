#include "plan/node.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace plan_node_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::plan;

namespace {

Node tainted(const std::string& name, const std::string& effect) {
  Node made = make::node(name, 4);
  made.taints.push_back({"dedicated", "ml", effect, {}});
  return made;
}

/// A pod that waits, and whose spec.nodeName is `node`.
Pod bound(const std::string& node, std::int64_t gpus = 1) {
  Pod made = make::waiting("p", gpus);
  made.node_name = node;
  return made;
}

std::optional<Explanation> answer(const Node& node, const Pod& pod) {
  const Snapshot snapshot = make::cluster({node});
  return bound_by_name(scheduler::Cluster(snapshot), pod, {});
}

std::string refusal(const Node& node, const Pod& pod) {
  const auto it = answer(node, pod);
  if (!it || !it->is_blocked) return "none";
  const std::string lead = "spec.nodeName binds it to " + pod.node_name +
                           " without a scheduler, and the kubelet there would refuse it: ";
  CHECK(it->code == Code::kubelet_rejected);
  CHECK(it->nearest == "the kubelet of " + pod.node_name + " refuses it");
  return it->summary.starts_with(lead) ? it->summary.substr(lead.size()) : it->summary;
}

}  // namespace

TEST_CASE("a pod whose spec names no node, or of a cluster that was not seen whole, is not bound") {
  CHECK_FALSE(answer(make::node("a", 4), bound("")));
  Snapshot snapshot = make::cluster({make::node("a", 4)});
  snapshot.node_coverage = Coverage::none;
  CHECK_FALSE(bound_by_name(scheduler::Cluster(snapshot), bound("a"), {}));
}

TEST_CASE("a pod that is bound to a node that does not exist is told of a similar name") {
  const auto near = answer(make::node("worker-1", 4), bound("worker-2"));
  REQUIRE(near);
  CHECK(near->code == Code::node_selector_mismatch);
  CHECK(near->is_blocked);
  CHECK(near->summary ==
        "spec.nodeName binds it to the node worker-2, which does not exist: no scheduler looks at "
        "it, and the pod garbage collector deletes it");
  CHECK(near->nearest == "node worker-2 does not exist");
  REQUIRE(near->advice.size() == 1);
  CHECK(near->advice.front().summary ==
        "leave out spec.nodeName, so that a scheduler finds a node; a similar name is worker-1");
  CHECK(answer(make::node("z", 4), bound("worker-2"))->advice.front().summary ==
        "leave out spec.nodeName, so that a scheduler finds a node");
}

TEST_CASE("a kubelet refuses for resources, a selector and NoExecute, but not for NoSchedule") {
  CHECK(refusal(make::node("a", 4), bound("a")) == "none");
  CHECK(refusal(make::node("a", 4), bound("a", 5)) == "Insufficient nvidia.com/gpu");
  Pod selects = bound("a", 5);
  selects.node_selector.set("zone", "b");
  CHECK(refusal(make::node("a", 4), selects) ==
        "node(s) didn't match Pod's node affinity/selector, Insufficient nvidia.com/gpu");
  CHECK(refusal(tainted("a", "NoSchedule"), bound("a")) == "none");
  CHECK(refusal(tainted("a", "NoExecute"), bound("a")) ==
        "it does not tolerate dedicated=ml:NoExecute");
}

TEST_CASE("a kubelet refuses a port that another pod of the node holds") {
  Pod holder = make::running("q", "a");
  holder.containers.front().ports.push_back({.host_port = 80});
  Pod pod = bound("a");
  pod.containers.front().ports = holder.containers.front().ports;
  const Snapshot snapshot = make::cluster({make::node("a", 4)}, {holder});
  const auto it = bound_by_name(scheduler::Cluster(snapshot), pod, {});
  REQUIRE(it);
  CHECK_THAT(it->summary, Catch::EndsWith("refuse it: node(s) didn't have free ports for the "
                                          "requested pod ports"));
}

TEST_CASE("a pod that its kubelet lets in starts, and its claims and volumes are not checked") {
  const auto plain = answer(make::node("a", 4), bound("a"));
  REQUIRE(plain);
  CHECK_FALSE(plain->is_blocked);
  CHECK(plain->code == Code::starting);
  CHECK(plain->not_checked.empty());
  CHECK_THAT(plain->summary,
             Catch::Contains("spec.nodeName binds it to a, and no scheduler looks at it"));
  Pod with_volume = bound("a");
  with_volume.volumes.push_back({.name = "data", .claim = "data"});
  Pod with_claim = bound("a");
  with_claim.claim_slots.emplace_back();
  for (const Pod& pod : {with_volume, with_claim})
    CHECK(
        answer(make::node("a", 4), pod)->not_checked ==
        std::vector<std::string>{"its claims and volumes, which a scheduler would have looked at"});
}

TEST_CASE("only a pod that is bound by name tolerates NoSchedule") {
  Pod waits = bound("");
  bypass_scheduler(waits);
  CHECK(waits.tolerations.empty());
  Pod goes = bound("a");
  bypass_scheduler(goes);
  REQUIRE(goes.tolerations.size() == 1);
  CHECK(goes.tolerations.front().key.empty());
  CHECK(goes.tolerations.front().op == "Exists");
  CHECK(goes.tolerations.front().effect == "NoSchedule");
}

}  // namespace plan_node_test
