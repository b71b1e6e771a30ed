#include "scheduler/scores/scores.hpp"

#include <catch2/catch.hpp>
#include <numeric>

#include "scheduler/cycle/judge_make.hpp"
#include "scheduler/scores/scorers.hpp"

namespace scores_scores_test {

using namespace gpu;
using namespace gpu::scheduler;

namespace {

constexpr std::int64_t kGi = std::int64_t{1} << 30;

Node sized(std::string name, std::int64_t milli, std::int64_t gibi, StringMap labels = {}) {
  Node node = make::labelled(std::move(name), std::move(labels));
  node.allocatable.set("cpu", Quantity::of_milli(milli));
  node.allocatable.set("memory", Quantity::of(gibi * kGi));
  node.allocatable.set("pods", Quantity::of(110));
  return node;
}

Pod asking(Pod pod, std::int64_t milli, std::int64_t gibi) {
  if (pod.containers.empty()) pod.containers.push_back({.name = "main"});
  if (milli > 0) pod.containers[0].requests.set("cpu", Quantity::of_milli(milli));
  if (gibi > 0) pod.containers[0].requests.set("memory", Quantity::of(gibi * kGi));
  return pod;
}

/// What one plugin gives each node, before its weight.
Points points_of(const Snapshot& snapshot, const Pod& pod, Scorer scorer) {
  const Cluster cluster(snapshot);
  UsualRequests usual(cluster);
  std::vector<std::uint32_t> nodes(cluster.nodes().size());
  std::iota(nodes.begin(), nodes.end(), 0U);
  static constexpr std::array<std::int64_t, kScorers> kWeights = {3, 2, 1, 2, 2, 1, 1};
  Points points;
  for (const NodeScore& each : scores_of(cluster, pod, nodes, usual))
    points.push_back(each.by[static_cast<std::size_t>(scorer)] /
                     kWeights[static_cast<std::size_t>(scorer)]);
  return points;
}

PodAffinityTerm term_of(std::string app, std::string key) {
  PodAffinityTerm term;
  term.selector = ObjectSelector{.labels = {{"app", std::move(app)}}};
  term.topology_key = std::move(key);
  return term;
}

}  // namespace

TEST_CASE("the least allocated node gets most, by the mean of cpu and memory") {
  // a: cpu (10-2-3)/10 = 50, memory (20-5-5)/20 = 50; b: cpu 70, memory 75 -> 72.
  const Snapshot snapshot = make::cluster({sized("a", 10'000, 20), sized("b", 10'000, 20)},
                                          {asking(make::running("r", "a"), 2'000, 5)});
  const Pod pod = asking(make::waiting("p"), 3'000, 5);
  CHECK(points_of(snapshot, pod, Scorer::node_resources_fit) == Points{50, 72});
}

TEST_CASE("containers that request nothing count with 100m and 200Mi") {
  const Snapshot snapshot = make::cluster({sized("a", 1'000, 1), sized("b", 1'000, 0)},
                                          {asking(make::running("r", "a"), 0, 0)});
  // a: cpu (1000-200)/1000 = 80, memory (1024-400)/1024 = 60; b has no memory to score: cpu 90.
  CHECK(points_of(snapshot, asking(make::waiting("p"), 0, 0), Scorer::node_resources_fit) ==
        Points{70, 90});
}

TEST_CASE("a node on which the pod would not fit scores 0 for that resource") {
  const Snapshot snapshot = make::cluster({sized("a", 1'000, 10)}, {});
  CHECK(points_of(snapshot, asking(make::waiting("p"), 2'000, 5), Scorer::node_resources_fit) ==
        Points{25});
}

TEST_CASE("1.36 scores what the pod does to the balance, older ones the balance") {
  Snapshot snapshot = make::cluster({sized("a", 10'000, 10), sized("b", 10'000, 10)},
                                    {asking(make::running("r", "b"), 6'000, 0)});
  const Pod pod = asking(make::waiting("p"), 0, 4);
  // a: balanced 100 before, 1-|0-0.4|/2 = 80 with it; b: 70 before, 1-|0.6-0.4|/2 = 90 with it.
  snapshot.server_version = "v1.36.1";
  CHECK(points_of(snapshot, pod, Scorer::balanced_allocation) == Points{65, 85});
  snapshot.server_version = "v1.35.4";
  CHECK(points_of(snapshot, pod, Scorer::balanced_allocation) == Points{80, 90});
}

TEST_CASE("a pod that requests neither cpu nor memory has no balance") {
  const Snapshot snapshot = make::cluster({sized("a", 10'000, 10)}, {});
  CHECK(points_of(snapshot, asking(make::waiting("p"), 0, 0), Scorer::balanced_allocation) ==
        Points{0});
}

TEST_CASE("taints PreferNoSchedule that are not tolerated cost points") {
  Node one = sized("a", 1'000, 1);
  one.taints = {{.key = "x", .value = "", .effect = "PreferNoSchedule", .added = {}}};
  Node two = sized("b", 1'000, 1);
  two.taints = {one.taints[0],
                {.key = "y", .value = "1", .effect = "PreferNoSchedule", .added = {}}};
  const Snapshot snapshot = make::cluster({one, two, sized("c", 1'000, 1)}, {});
  Pod pod = make::waiting("p");
  CHECK(points_of(snapshot, pod, Scorer::taint_toleration) == Points{50, 0, 100});
  pod.tolerations = {
      {.key = "y", .op = "Exists", .value = "", .effect = "NoSchedule", .seconds = {}}};
  CHECK(points_of(snapshot, pod, Scorer::taint_toleration) == Points{50, 0, 100});
  pod.tolerations[0].effect.clear();
  CHECK(points_of(snapshot, pod, Scorer::taint_toleration) == Points{0, 0, 100});
}

TEST_CASE("preferred node affinity adds weights, the highest sum becomes 100") {
  const Snapshot snapshot =
      make::cluster({sized("a", 1'000, 1, {{"disk", "ssd"}}),
                     sized("b", 1'000, 1, {{"disk", "ssd"}, {"zone", "1"}}), sized("c", 1'000, 1)},
                    {});
  Pod pod = make::waiting("p");
  CHECK(points_of(snapshot, pod, Scorer::node_affinity) == Points{0, 0, 0});
  pod.placement.preferred_nodes = {
      {.weight = 20, .term = {.expressions = {{"disk", "In", {"ssd"}}}, .fields = {}}},
      {.weight = 40, .term = {.expressions = {{"zone", "Exists", {}}}, .fields = {}}},
      {.weight = 90, .term = {}}};
  CHECK(points_of(snapshot, pod, Scorer::node_affinity) == Points{33, 100, 0});
}

TEST_CASE("preferred pod affinity spans from the worst to the best node") {
  Snapshot snapshot = make::cluster(
      {sized("a", 1'000, 1, {{"zone", "1"}}), sized("b", 1'000, 1, {{"zone", "2"}}),
       sized("c", 1'000, 1, {{"zone", "3"}}), sized("d", 1'000, 1)},
      {make::running("r", "a", {{"app", "x"}}), make::running("s", "b", {{"app", "y"}})});
  Pod pod = make::waiting("p");
  CHECK(points_of(snapshot, pod, Scorer::inter_pod_affinity) == Points{0, 0, 0, 0});
  pod.placement.preferred_pods = {{.weight = 30, .term = term_of("x", "zone")}};
  pod.placement.preferred_pods_avoided = {{.weight = 10, .term = term_of("y", "zone")}};
  CHECK(points_of(snapshot, pod, Scorer::inter_pod_affinity) == Points{100, 0, 25, 25});
}

TEST_CASE("pods on nodes have preferences, too, and what they require counts 1") {
  Pod wanting = make::running("r", "a");
  wanting.placement.pod_affinity = {term_of("x", "zone")};
  Pod avoiding = make::running("s", "b");
  avoiding.placement.preferred_pods_avoided = {{.weight = 3, .term = term_of("x", "zone")}};
  const Snapshot snapshot =
      make::cluster({sized("a", 1'000, 1, {{"zone", "1"}}), sized("b", 1'000, 1, {{"zone", "2"}}),
                     sized("c", 1'000, 1, {{"zone", "3"}})},
                    {wanting, avoiding});
  Pod pod = make::waiting("p");
  pod.labels = {{"app", "x"}};
  CHECK(points_of(snapshot, pod, Scorer::inter_pod_affinity) == Points{100, 0, 75});
  pod.labels = {{"app", "other"}};
  CHECK(points_of(snapshot, pod, Scorer::inter_pod_affinity) == Points{0, 0, 0});
}

TEST_CASE("soft spread constraints prefer domains with few pods") {
  const Snapshot snapshot = make::cluster(
      {sized("a", 1'000, 1, {{"zone", "1"}}), sized("b", 1'000, 1, {{"zone", "2"}}),
       sized("c", 1'000, 1)},
      {make::running("r", "a", {{"app", "x"}}), make::running("s", "a", {{"app", "x"}}),
       make::running("t", "b", {{"app", "x"}})});
  Pod pod = make::waiting("p");
  pod.placement.spread = {{.max_skew = 1,
                           .topology_key = "zone",
                           .when_unsatisfiable = "ScheduleAnyway",
                           .selector = ObjectSelector{.labels = {{"app", "x"}}}}};
  // ln(2 + 2) = 1.39: raw 2.77 -> 3 and 1.39 -> 1; 100 * (3 + 1 - raw) / 3. c has no zone.
  CHECK(points_of(snapshot, pod, Scorer::pod_topology_spread) == Points{33, 100, 0});
}

TEST_CASE("pods of a ReplicaSet are spread by default, over hosts and zones") {
  const auto owned = [](Pod pod) {
    pod.owners = {{.kind = "ReplicaSet",
                   .name = "web",
                   .uid = "u",
                   .api_version = "apps/v1",
                   .controller = true}};
    return pod;
  };
  const Snapshot snapshot = make::cluster({sized("a", 1'000, 1, {{"kubernetes.io/hostname", "a"}}),
                                           sized("b", 1'000, 1, {{"kubernetes.io/hostname", "b"}})},
                                          {owned(make::running("r", "a"))});
  // Hosts: ln(2 + 2) * 1 + 2 = 3.39 -> 3, and 2 on b; neither has a zone.
  CHECK(points_of(snapshot, owned(make::waiting("p")), Scorer::pod_topology_spread) ==
        Points{66, 100});
  CHECK(points_of(snapshot, make::waiting("p"), Scorer::pod_topology_spread) == Points{0, 0});
}

TEST_CASE("images that a node has count by size and by how many nodes have them") {
  constexpr std::int64_t kMi = std::int64_t{1} << 20;
  Node has = sized("a", 1'000, 1);
  has.images = {{.key = image_key("train:1"), .bytes = 1'023 * kMi}};
  const Snapshot snapshot = make::cluster({has, sized("b", 1'000, 1)}, {});
  Pod pod = asking(make::waiting("p"), 100, 1);
  pod.containers[0].image = "train:1";
  // 1023 Mi / 2 nodes = 511 Mi: (511 - 23) / (1000 - 23) = 49.9.
  CHECK(points_of(snapshot, pod, Scorer::image_locality) == Points{50, 0});
  pod.containers[0].image = "train:2";
  CHECK(points_of(snapshot, pod, Scorer::image_locality) == Points{0, 0});
}

TEST_CASE("an image without a tag is the latest") {
  CHECK(image_key("registry:5000/train") == image_key("registry:5000/train:latest"));
  CHECK(image_key("train@sha256:ab") != image_key("train"));
  CHECK(image_key("train:1") != image_key("train:2"));
}

TEST_CASE("the best nodes are all with the highest total") {
  std::vector<NodeScore> scores(3);
  for (std::uint32_t i = 0; i < 3; ++i) scores[i].node = i;
  scores[0].by[0] = 10;
  scores[2].by[5] = 10;
  CHECK(best_nodes(scores) == std::vector<std::uint32_t>{0, 2});
  CHECK(best_nodes({}).empty());
}

TEST_CASE("above 100 nodes the scheduler looks for some of them") {
  CHECK(nodes_to_find(99) == 99);
  CHECK(nodes_to_find(100) == 100);
  CHECK(nodes_to_find(250) == 120);    // 48 %
  CHECK(nodes_to_find(5'000) == 500);  // 10 %
  CHECK(nodes_to_find(6'000) == 300);  // 5 %
  CHECK(nodes_to_find(0) == 0);
}

}  // namespace scores_scores_test
