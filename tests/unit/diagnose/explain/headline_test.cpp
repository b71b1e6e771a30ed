#include <catch2/catch.hpp>

#include "diagnose/explain/explain.hpp"
#include "scheduler/cycle/judge_make.hpp"
#include "scheduler/volumes/volume_make.hpp"

namespace explain_headline_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

constexpr const char* kHost = "kubernetes.io/hostname";
constexpr const char* kZone = "topology.kubernetes.io/zone";

Node gpu_node(const std::string& name, const std::string& zone = "a", std::int64_t gpus = 8) {
  return make::labelled(name, {{kHost, name}, {kZone, zone}}, gpus);
}

Explanation answer(const Snapshot& snapshot, const Pod& pod) {
  return explain(Cluster(snapshot), pod, {});
}
std::string headline(const Snapshot& snapshot, const Pod& pod) {
  return answer(snapshot, pod).summary;
}

PodAffinityTerm term(const std::string& app, const std::string& key) {
  PodAffinityTerm made{.topology_key = key};
  made.selector = ObjectSelector{.labels = {{"app", app}}};
  return made;
}

Pod with_port(Pod pod, std::int32_t port) {
  pod.containers.front().ports.push_back({.port = port, .host_port = port});
  return pod;
}

Pod train() {
  Pod made = make::waiting("train-0", 1);
  made.labels = {{"app", "train"}};
  return made;
}

}  // namespace

TEST_CASE("a port is said to be taken by whom, and where") {
  const Pod pod = with_port(train(), 9400);
  const Pod other = with_port(make::running("other", "n1"), 9400);
  CHECK(headline(make::cluster({gpu_node("n1")}, {other}), pod) ==
        "host port 9400 is taken on n1, by ml/other");
  const Pod second = with_port(make::running("second", "n2"), 9400);
  CHECK(headline(make::cluster({gpu_node("n1"), gpu_node("n2")}, {other, second}), pod) ==
        "host port 9400 is taken on both nodes with free GPUs, by ml/other on n1 and ml/second on "
        "n2");
}

TEST_CASE("pods of one DaemonSet that have the port are named once") {
  std::vector<Node> nodes;
  std::vector<Pod> pods;
  for (const std::string name : {"n1", "n2", "n3"}) {
    nodes.push_back(gpu_node(name));
    pods.push_back(with_port(make::running("dcgm-" + name, name), 9400));
    pods.back().owners = {{.kind = "DaemonSet", .name = "dcgm", .controller = true}};
  }
  const Explanation it = answer(make::cluster(nodes, pods), with_port(train(), 9400));
  CHECK(it.code == Code::port_taken);
  CHECK(it.summary ==
        "host port 9400 is taken on all 3 nodes with free GPUs, by pods of DaemonSet dcgm in ml");
}

TEST_CASE("a spread rule is told with its counts") {
  Pod pod = train();
  TopologySpread rule{.topology_key = kZone, .when_unsatisfiable = "DoNotSchedule"};
  rule.selector = ObjectSelector{.labels = {{"app", "train"}}};
  pod.placement.spread = {rule};
  std::vector<Pod> pods = {make::running("t1", "n1", {{"app", "train"}}, 1),
                           make::running("t2", "n1", {{"app", "train"}}, 1)};
  const std::vector<Node> nodes = {gpu_node("n1"), gpu_node("c1", "b", 0)};
  CHECK(headline(make::cluster(nodes, pods), pod) ==
        "spread over zone allows skew 1: a has 2 pods with app=train, b has 0, and no node there "
        "fits");
  // The nodes of the emptier zone are full: that is no reason, as long as others have GPUs.
  std::vector<Pod> more = pods;
  more.push_back(make::running("full", "c1", {}, 8));
  const Explanation it = answer(make::cluster({gpu_node("n1"), gpu_node("c1", "b")}, more), pod);
  CHECK(it.code == Code::topology_spread);
  pod.placement.spread.front().min_domains = 3;
  CHECK(headline(make::cluster(nodes, pods), pod) ==
        "spread over zone allows skew 1 from 0 while fewer than 3 zones count: a has 2 pods with "
        "app=train");
  pod.placement.spread.front().topology_key = "rack";
  CHECK(headline(make::cluster({gpu_node("n1")}), pod) ==
        "the pod spreads over rack, and n1 has no such label");
}

TEST_CASE("anti-affinity names the pod that is in the way") {
  Pod pod = train();
  pod.placement.pod_anti_affinity = {term("train", kHost)};
  const std::vector<Pod> pods = {make::running("t1", "n1", {{"app", "train"}}, 1),
                                 make::running("t2", "n2", {{"app", "train"}}, 1)};
  CHECK(headline(make::cluster({gpu_node("n1")}, {pods[0]}), pod) ==
        "pod must not share its node with a pod with app=train, and n1 has ml/t1");
  CHECK(headline(make::cluster({gpu_node("n1"), gpu_node("n2")}, pods), pod) ==
        "pod must not share its node with a pod with app=train, and both nodes with free GPUs have "
        "one: ml/t1 on n1 and ml/t2 on n2");
  pod.placement.pod_anti_affinity = {term("train", kZone)};
  CHECK(headline(make::cluster({gpu_node("n3"), gpu_node("n1", "a", 0)},
                               {make::running("t1", "n1", {{"app", "train"}})}),
                 pod) ==
        "pod must not share its zone with a pod with app=train, and a has ml/t1 on n1");
}

TEST_CASE("anti-affinity of others is told as theirs") {
  Pod db = make::running("db", "n1");
  db.placement.pod_anti_affinity = {term("train", kHost)};
  CHECK(headline(make::cluster({gpu_node("n1")}, {db}), train()) ==
        "anti-affinity of ml/db on n1 keeps this pod out of its node");
}

TEST_CASE("affinity says where the wanted pods are") {
  Pod pod = train();
  pod.placement.pod_affinity = {term("cache", kHost)};
  CHECK(headline(make::cluster({gpu_node("n1")}), pod) ==
        "pod must share its node with a pod with app=cache, and no node has one");
  const Pod cache = make::running("cache-0", "c1", {{"app", "cache"}});
  CHECK(headline(make::cluster({gpu_node("n1"), gpu_node("c1", "b", 0)}, {cache}), pod) ==
        "pod must share its node with a pod with app=cache, and does not fit beside ml/cache-0 on "
        "c1");
  pod.placement.pod_affinity = {term("cache", "rack")};
  CHECK(headline(make::cluster({gpu_node("n1")}, {}), pod) ==
        "pod affinity uses the label rack, and n1 does not have it");
}

TEST_CASE("a volume elsewhere is told with both places") {
  Snapshot snapshot = make::cluster({gpu_node("n1"), gpu_node("n2")});
  Pod pod = make::pod_with_claims("train-0", "", {"data"});
  pod.containers.front().requests.set("nvidia.com/gpu", Quantity::of(1));
  SchedulingFacts& facts = snapshot.scheduling;
  facts.volume_claims = {make::bound_claim("data", "pv-1")};
  PersistentVolume volume{.name = "pv-1"};
  volume.node_affinity = {{.expressions = {{kZone, "In", {"b"}}}}};
  facts.volumes = {volume};
  for (const char* const kind : {"persistentvolumeclaims", "persistentvolumes", "storageclasses"})
    facts.coverages[kind] = Coverage::whole;
  CHECK(headline(snapshot, pod) ==
        "the volume of claim data is in zone b, and the 2 nodes with free GPUs are not");
  snapshot.nodes.pop_back();
  CHECK(headline(snapshot, pod) ==
        "the volume of claim data is in zone b, and n1, the only node with free GPUs, is in a");
}

TEST_CASE("what is short beside GPUs is told with numbers") {
  Node node = gpu_node("n1");
  node.allocatable.set("cpu", Quantity::of(32));
  Pod busy = make::running("busy", "n1");
  busy.containers.front().requests.set("cpu", Quantity::of(20));
  Pod pod = train();
  pod.containers.front().requests.set("cpu", Quantity::of(16));
  CHECK(headline(make::cluster({node}, {busy}), pod) ==
        "n1 has 8 GPUs free, but only 12 of the 16 cpu that the pod requests");
  pod.containers.front().requests.set("cpu", Quantity::of(48));
  CHECK(headline(make::cluster({node}, {busy}), pod) ==
        "n1 has 8 GPUs free, but no more than 32 of the 48 cpu that the pod requests, even when "
        "empty");
  node.allocatable.set("pods", Quantity::of(1));
  CHECK(headline(make::cluster({node}, {busy}), train()) ==
        "n1 has 8 GPUs free, but runs 1 pod already, the most that it may");
}

TEST_CASE("a selector that leaves no node names the label that none has") {
  Pod pod = train();
  pod.node_selector = {{kZone, "a"}, {"pool", "x"}};
  const Snapshot snapshot = make::cluster({gpu_node("n1")});
  CHECK(headline(snapshot, pod) == "no node has the label pool=x");
  pod.node_selector = {{kZone, "a"}, {kHost, "n2"}};
  CHECK(headline(make::cluster({gpu_node("n1"), gpu_node("n2", "b")}), pod) ==
        "no node has all labels that the pod selects: kubernetes.io/hostname=n2, "
        "topology.kubernetes.io/zone=a");
}

TEST_CASE("what comes after the reason is noted where no fix solves both") {
  Node node = gpu_node("n1");
  node.taints = {{.key = "team", .value = "vision", .effect = "NoSchedule"}};
  node.allocatable.set("memory", Quantity::of(std::int64_t{128} << 30));
  Pod pod = train();
  pod.containers.front().requests.set("memory", Quantity::of(std::int64_t{512} << 30));
  const Explanation it = answer(make::cluster({node}), pod);
  CHECK(it.summary ==
        "pod does not tolerate team=vision:NoSchedule of n1, the only node with free GPUs");
  CHECK(it.fixes.empty());
  REQUIRE_FALSE(it.remarks.empty());
  CHECK(it.remarks.front().text ==
        "once that is solved, n1 is still ruled out by: too little memory");
}

TEST_CASE("features that the kubelet lacks are named") {
  Pod pod = train();
  pod.containers.front().restarts_all = true;
  CHECK(headline(make::cluster({gpu_node("n1")}), pod) ==
        "pod needs the feature RestartAllContainersOnContainerExits, which n1 does not have");
}

TEST_CASE("a selector that leaves only nodes without GPUs is the reason, not the GPUs") {
  Pod pod = train();
  pod.node_selector = {{kZone, "b"}};
  const Explanation it = answer(make::cluster({gpu_node("n1"), gpu_node("c1", "b", 0)}), pod);
  CHECK(it.code == Code::node_selector_mismatch);
  CHECK(it.summary ==
        "pod needs 1 GPU, and its node selector leaves out all nodes that have any: n1");
}

TEST_CASE("more GPUs than any node has is the reason, whatever else rules the nodes out") {
  Node node = gpu_node("n1");
  node.taints = {{.key = "team", .value = "vision", .effect = "NoSchedule"}};
  Pod pod = train();
  pod.containers.front().requests.set("nvidia.com/gpu", Quantity::of(16));
  const Explanation it = answer(make::cluster({node, gpu_node("c1", "b", 0)}), pod);
  CHECK(it.code == Code::request_exceeds_every_node);
  CHECK(it.summary == "pod needs 16 GPUs on one node, and no node it may run on has more than 8");
}

TEST_CASE("a node that is cut into slices does not hide that no node is large enough") {
  Node cut = make::node("m1", 7, "nvidia.com/mig-1g.10gb");
  cut.labels = {{kHost, "m1"}, {"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB"}};
  Node tainted = gpu_node("n1");
  tainted.taints = {{.key = "nvidia.com/gpu", .value = "", .effect = "NoSchedule"}};
  Pod pod = train();
  pod.containers.front().requests.set("nvidia.com/gpu", Quantity::of(64));
  const Explanation it = answer(make::cluster({cut, tainted}), pod);
  CHECK(it.code == Code::request_exceeds_every_node);
  CHECK(it.summary == "pod needs 64 GPUs on one node, and no node it may run on has more than 8");
}

TEST_CASE("a node under pressure is named with its condition") {
  Node node = gpu_node("n1");
  node.taints = {{.key = "node.kubernetes.io/disk-pressure", .value = "", .effect = "NoSchedule"}};
  const Explanation it = answer(make::cluster({node}), train());
  CHECK(it.summary ==
        "n1, the only node with free GPUs, is ill, and takes no new pods: DiskPressure");
  REQUIRE_FALSE(it.advice.empty());
  CHECK(it.advice.front().command == "kubectl describe node n1");
  node.taints.push_back({.key = "team", .value = "vision", .effect = "NoSchedule"});
  CHECK(headline(make::cluster({node}), train()) ==
        "pod does not tolerate node.kubernetes.io/disk-pressure:NoSchedule and "
        "team=vision:NoSchedule of n1, the only node with free GPUs");
}

TEST_CASE("of a pod without GPUs the node with most of what it asks for is nearest") {
  Node small = make::node("a", 0);
  small.allocatable.set("cpu", Quantity::of(8));
  Node large = make::node("b", 0);
  large.allocatable.set("cpu", Quantity::of(96));
  Pod pod = make::waiting("web-0");
  pod.containers.front().requests.set("cpu", Quantity::of(100));
  const Explanation it = answer(make::cluster({small, large}), pod);
  CHECK(it.summary ==
        "no node that the pod may run on has room: b has no more than 96 of the 100 cpu that the "
        "pod requests, even when empty");
  REQUIRE(it.groups.size() == 1);
  CHECK(it.groups.front().nodes.front().name == "b");
}

TEST_CASE("of several nodes with free GPUs, one that is nearest is not said to be the only one") {
  Node cordoned = gpu_node("n2");
  cordoned.unschedulable = true;
  Pod pod = train();
  pod.placement.pod_anti_affinity = {term("train", kHost)};
  const Pod other = make::running("train-1", "n1", {{"app", "train"}}, 1);
  CHECK(headline(make::cluster({gpu_node("n1"), cordoned}, {other}), pod) ==
        "n2, 1 of the 2 nodes with free GPUs, is cordoned");
  CHECK(headline(make::cluster({cordoned}, {}), pod) ==
        "n2, the only node with free GPUs, is cordoned");
}

}  // namespace explain_headline_test
