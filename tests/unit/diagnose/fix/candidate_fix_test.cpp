#include "diagnose/fix/candidate_fix.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace fix_candidate_fix_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

/// What would have to change on the first node, as lines of key_of() and the cost; empty: nothing
/// helps.
std::string change(const Node& node, const Pod& pod, const std::vector<Pod>& pods = {}) {
  const Snapshot snapshot = make::cluster({node}, pods);
  const scheduler::Cluster cluster(snapshot);
  const scheduler::Verdict verdict = scheduler::judge(cluster, pod);
  const NodeReasons reasons(cluster, pod, verdict);
  const auto fix = candidate_fix_for(cluster, pod, verdict.nodes.front(), reasons, {});
  return fix ? key_of(*fix) + "cost " + std::to_string(fix->cost) : "";
}

Node tainted(const std::vector<Taint>& taints) {
  Node made = make::node("a", 8);
  made.taints = taints;
  return made;
}

Node cordoned() {
  Node made = make::node("a", 8);
  made.unschedulable = true;
  return made;
}

/// A node with so much of a resource, and a pod that requests so much of it.
std::string shrunk(const std::string& resource, const std::string& has,
                   const std::string& requested) {
  Node node = make::node("a", 8);
  node.allocatable.set(resource, *Quantity::parse(has));
  Pod pod = make::waiting("p", 1);
  pod.containers.front().requests.set(resource, *Quantity::parse(requested));
  return change(node, pod);
}

TopologySpread spread(std::string key, std::string when = "DoNotSchedule") {
  TopologySpread made;
  made.topology_key = std::move(key);
  made.when_unsatisfiable = std::move(when);
  made.selector = ObjectSelector{.labels = {{"app", "x"}}};
  return made;
}

}  // namespace

TEST_CASE("every taint that is not tolerated is an edit") {
  CHECK(change(make::node("a", 8), make::waiting("p", 1)).empty());
  CHECK(change(tainted({{"team", "x", "NoSchedule"}}), make::waiting("p", 1)) ==
        "tolerate team=x:NoSchedule\ncost 1");
  CHECK(change(tainted({{"team", "x", "NoSchedule"}, {"other", "", "NoExecute"}}),
               make::waiting("p", 1)) ==
        "tolerate team=x:NoSchedule\ntolerate other:NoExecute\ncost 2");
}

TEST_CASE("taints of control planes and of illness are not tolerated") {
  for (const std::string key :
       {"node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master",
        "node.kubernetes.io/disk-pressure"})
    CHECK(change(tainted({{key, "", "NoSchedule"}}), make::waiting("p", 1)).empty());
}

TEST_CASE("a toleration names the taint's value, unless it has none or is of GPUs") {
  const auto toleration = [](const Taint& taint) {
    const Snapshot snapshot = make::cluster({tainted({taint})});
    const scheduler::Cluster cluster(snapshot);
    const Pod pod = make::waiting("p", 1);
    const scheduler::Verdict verdict = scheduler::judge(cluster, pod);
    const NodeReasons reasons(cluster, pod, verdict);
    const auto fix = candidate_fix_for(cluster, pod, verdict.nodes.front(), reasons, {});
    REQUIRE(fix);
    return fix->change.pod->tolerations.back();
  };
  CHECK(toleration({"team", "x", "NoSchedule"}) ==
        Toleration{.key = "team", .value = "x", .effect = "NoSchedule"});
  CHECK(toleration({"team", "", "NoSchedule"}) ==
        Toleration{.key = "team", .op = "Exists", .effect = "NoSchedule"});
  CHECK(toleration({"nvidia.com/gpu", "present", "NoSchedule"}) ==
        Toleration{.key = "nvidia.com/gpu", .op = "Exists", .effect = "NoSchedule"});
}

TEST_CASE("a node is uncordoned unless it is ill, not ready or worked on") {
  CHECK(change(cordoned(), make::waiting("p", 1)) == "uncordon a\ncost 4");
  Node both = cordoned();
  both.taints = {{"team", "x", "NoSchedule"}};
  CHECK(change(both, make::waiting("p", 1)) == "tolerate team=x:NoSchedule\nuncordon a\ncost 5");
  Node ill = cordoned();
  ill.taints = {{"node.kubernetes.io/disk-pressure", "", "PreferNoSchedule"}};
  CHECK(change(ill, make::waiting("p", 1)).empty());
  Node late = cordoned();
  late.conditions.front().status = "False";
  CHECK(change(late, make::waiting("p", 1)).empty());
}

TEST_CASE("a request is made smaller where at least half of it is left, in round amounts") {
  CHECK(shrunk("cpu", "4", "8") == "request 4 cpu instead of 8\ncost 3");
  CHECK(shrunk("cpu", "3999m", "8").empty());
  CHECK(shrunk("cpu", "7900m", "8") == "request 7500m cpu instead of 8\ncost 3");
  CHECK(shrunk("cpu", "300m", "400m") == "request 300m cpu instead of 400m\ncost 3");
  CHECK(shrunk("cpu", "500m", "600m") == "request 500m cpu instead of 600m\ncost 3");
  CHECK(shrunk("memory", "5000Mi", "8Gi") == "request 4Gi memory instead of 8Gi\ncost 3");
  CHECK(shrunk("memory", "512Mi", "800Mi") == "request 512Mi memory instead of 800Mi\ncost 3");
}

TEST_CASE("a request that several containers share is not made smaller") {
  Node node = make::node("a", 8);
  node.allocatable.set("cpu", Quantity::of(6));
  Pod pod = make::waiting("p", 1);
  pod.containers.push_back({.name = "side"});
  pod.containers[1].requests.set("cpu", Quantity::of(8));
  CHECK(change(node, pod) == "request 6 cpu instead of 8\ncost 3");
  Pod with_init = pod;
  with_init.init_containers = {{.name = "first"}};
  CHECK(change(node, with_init).empty());
  pod.containers[0].requests.set("cpu", Quantity::of(1));
  CHECK(change(node, pod).empty());
}

TEST_CASE("a mistyped name is corrected, though the pod asks for none of another resource") {
  Pod pod = make::waiting("p");
  pod.containers.front().requests.set("nvidia.com/gpus", Quantity::of(1));
  CHECK(change(make::node("a", 8), pod) ==
        "request nvidia.com/gpu instead of nvidia.com/gpus\ncost 1");
  pod.containers.front().requests.set("example.com/license", Quantity::of(0));
  CHECK(change(make::node("a", 8), pod) ==
        "request nvidia.com/gpu instead of nvidia.com/gpus\ncost 1");
}

TEST_CASE("pods whose end makes room are part of the change, and none where none do") {
  CHECK(change(make::node("a", 8), make::waiting("p", 1), {make::running("q", "a", {}, 8)}) ==
        "end ml/q\ncost 0");
  CHECK(
      change(make::node("a", 8), make::waiting("p", 9), {make::running("q", "a", {}, 8)}).empty());
}

TEST_CASE("spread rules become wishes, unless two have one key") {
  Node node = make::labelled("a", {{"zone", "one"}}, 8);
  Pod pod = make::waiting("p", 1);
  pod.labels = {{"app", "x"}};
  pod.placement.spread = {spread("host"), spread("zone"), spread("rack", "ScheduleAnyway")};
  CHECK(change(node, pod) ==
        "spread over host only where that is possible\nspread over zone only where that is "
        "possible\ncost 12");
  pod.placement.spread.push_back(spread("rack", "ScheduleAnyway"));
  CHECK(change(node, pod).ends_with("cost 12"));
  pod.placement.spread.push_back(spread("zone", "ScheduleAnyway"));
  CHECK(change(node, pod).empty());
}

TEST_CASE("a remedy that ends pods, or seeks some, says so") {
  CHECK_FALSE(evicts_pods({}));
  const Pod pod = make::running("q", "a");
  CandidateFix ends;
  ends.change.ended = {&pod};
  CHECK(evicts_pods(ends));
  CHECK(key_of(ends) == "end ml/q\n");
  CandidateFix seeks;
  seeks.node = 3;
  seeks.seeks_pods = true;
  CHECK(evicts_pods(seeks));
  CHECK(key_of(seeks) == "on 3\n");
  CandidateFix has_victim;
  const scheduler::BoundPod bound{.pod = &pod};
  has_victim.victims = {&bound};
  CHECK(evicts_pods(has_victim));
  CHECK(key_of(has_victim) == "end ml/q\n");
}

}  // namespace fix_candidate_fix_test
