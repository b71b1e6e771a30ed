#include "diagnose/fix/room_advice.hpp"

#include <catch2/catch.hpp>

#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace fix_room_advice_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

std::string advised(const Snapshot& snapshot, const Pod& pod) {
  const Cluster cluster(snapshot);
  const Verdict verdict = judge(cluster, pod);
  const NodeReasons reasons(cluster, pod, verdict);
  const auto advice = room_advice(cluster, pod, verdict, reasons);
  return advice ? advice->summary : "";
}

Pod apart(Pod pod, const std::string& key) {
  pod.placement.pod_anti_affinity = {
      {.selector = ObjectSelector{.labels = {{"noisy", "yes"}}, .expressions = {}},
       .topology_key = key}};
  return pod;
}

}  // namespace

TEST_CASE("a node that would take the pod, were it empty and well, is one to add") {
  Node drained = make::node("a", 8);
  drained.unschedulable = true;
  const std::string like_a = "add a node like a: empty, it would take the pod";
  CHECK(advised(make::cluster({drained}, {make::running("big", "a", {}, 8)}),
                make::waiting("p", 8)) == like_a);
  Node leaving = make::node("a", 8);
  leaving.taints = {
      {.key = "ToBeDeletedByClusterAutoscaler", .value = "1", .effect = "NoSchedule"}};
  CHECK(advised(make::cluster({leaving}, {}), make::waiting("p", 8)) == like_a);
}

TEST_CASE("after 32 nodes that a new one would not be better than no more are tried") {
  const auto advised_beside = [](int others) {
    std::vector<Node> nodes = {make::node("full", 8)};
    for (int i = 0; i < others; ++i) {
      nodes.push_back(make::node("t" + std::to_string(i), 8));
      nodes.back().taints = {{.key = "dedicated", .value = "x", .effect = "NoSchedule"}};
    }
    return advised(make::cluster(nodes, {make::running("big", "full", {}, 8)}),
                   make::waiting("p", 8));
  };
  CHECK(advised_beside(31) == "add a node like full: empty, it would take the pod");
  CHECK(advised_beside(32).empty());
}

TEST_CASE("a new node has the taints of its kind") {
  Node tainted = make::node("a", 8);
  tainted.taints = {{.key = "dedicated", .value = "x", .effect = "NoSchedule"}};
  CHECK(advised(make::cluster({tainted}, {}), make::waiting("p", 1)).empty());
}

TEST_CASE("where no node is large enough, what they have is named") {
  const Snapshot snapshot = make::cluster({make::node("a", 4), make::node("b", 2)}, {});
  CHECK(advised(snapshot, make::waiting("p", 8)) ==
        "request less: no node with such GPUs has more than 4 nvidia.com/gpu, even when empty");
}

TEST_CASE("another node in a zone helps a pod that is kept from a node, not from a zone") {
  const Snapshot snapshot =
      make::cluster({make::labelled("a", {{"zone", "one"}, {"kubernetes.io/hostname", "a"}}, 8)},
                    {make::running("loud", "a", {{"noisy", "yes"}})});
  CHECK(advised(snapshot, apart(make::waiting("p", 1), "zone")).empty());
  CHECK(advised(snapshot, apart(make::waiting("p", 1), "kubernetes.io/hostname")) ==
        "add a node like a: empty, it would take the pod");
}

TEST_CASE("no other node helps a pod that names one, or whose volume is on one") {
  const auto on = [](const std::string& key) {
    Snapshot snapshot = make::cluster(
        {make::labelled("a", {{"kubernetes.io/hostname", "a"}, {"disk/zone", "a"}}, 8)},
        {make::running("big", "a", {}, 8)});
    snapshot.scheduling.volume_claims = {
        {.ns = "ml", .name = "data", .volume = "pv", .is_bound = true}};
    snapshot.scheduling.volumes = {
        {.name = "pv", .node_affinity = NodeSelector{{.expressions = {{key, "In", {"a"}}}}}}};
    for (const char* resource :
         {"persistentvolumeclaims", "persistentvolumes", "storageclasses", "csinodes",
          "volumeattachments", "csidrivers", "csistoragecapacities"})
      snapshot.scheduling.coverages[resource] = Coverage::whole;
    return snapshot;
  };
  Pod with_volume = make::waiting("p", 1);
  with_volume.volumes = {{.name = "data", .claim = "data"}};
  CHECK(advised(on("kubernetes.io/hostname"), with_volume).empty());
  CHECK_FALSE(advised(on("disk/zone"), with_volume).empty());
  Pod named = make::waiting("p", 1);
  named.node_selector = {{"kubernetes.io/hostname", "a"}};
  CHECK(advised(on("disk/zone"), named).empty());
  Pod required = make::waiting("p", 1);
  required.placement.node_affinity =
      NodeSelector{{.expressions = {}, .fields = {{"metadata.name", "In", {"a"}}}}};
  CHECK(advised(on("disk/zone"), required).empty());
}

TEST_CASE("an advice to add a node is known by its kind, whatever it says") {
  CHECK(asks_for_node({.summary = "have one more", .command = {}, .kind = AdviceKind::add_node}));
  CHECK_FALSE(asks_for_node({.summary = "add a node like a", .command = {}}));
}

}  // namespace fix_room_advice_test
