#include "diagnose/nodes/missing_label.hpp"

#include <catch2/catch.hpp>

#include "diagnose/explain/explain.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace nodes_missing_label_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

std::string advised(const Snapshot& snapshot, const Pod& pod) {
  const auto advice = missing_label(Cluster(snapshot), pod);
  return advice ? advice->summary : "";
}

Pod selecting(StringMap labels) {
  Pod pod = make::waiting("p", 1);
  pod.node_selector = std::move(labels);
  return pod;
}

}  // namespace

TEST_CASE("a label says what a node is: which nodes it would help is told, and no fix") {
  const Snapshot snapshot =
      make::cluster({make::node("aa", 8), make::node("bb", 8), make::node("cpu", 0)});
  const Pod pod = selecting({{"gpu", "a100"}});
  const Explanation it = explain(Cluster(snapshot), pod, {});
  CHECK(it.fixes.empty());
  REQUIRE(it.advice.size() == 2);
  CHECK(it.advice[1].summary ==
        "or give the label gpu=a100 to a node of which that is true: aa or bb would then take the "
        "pod");
  CHECK(it.advice[1].command == "kubectl label node NODE gpu=a100");
}

TEST_CASE("labels that programs keep up, that some node has, or that would help none are not") {
  const Snapshot snapshot = make::cluster({make::node("a", 8)});
  CHECK(advised(snapshot, selecting({{"nvidia.com/gpu.product", "H100"}})).empty());
  CHECK(advised(make::cluster({make::node("a", 8), make::labelled("b", {{"pool", "x"}})}),
                selecting({{"pool", "x"}}))
            .empty());
  CHECK(advised(make::cluster({make::node("cpu", 0)}), selecting({{"pool", "x"}})).empty());
  // What a node is, it stays.
  CHECK(
      advised(make::cluster({make::labelled("a", {{"pool", "y"}}, 8)}), selecting({{"pool", "x"}}))
          .empty());
}

TEST_CASE("a rule of another pod would reach the node with the label") {
  Pod minds = make::running("minds", "b");
  minds.placement.pod_anti_affinity = {
      {.selector = ObjectSelector{.labels = {{"noisy", "yes"}}, .expressions = {}},
       .topology_key = "pool"}};
  CHECK(advised(make::cluster({make::node("a", 8), make::node("b", 0)}, {minds}),
                selecting({{"pool", "x"}}))
            .empty());
}

TEST_CASE("what a RuntimeClass selects tells where its handler is") {
  Snapshot snapshot = make::cluster({make::node("g1", 8)});
  snapshot.scheduling.runtime_classes = {
      {.name = "nvidia", .overhead = {}, .node_selector = {{"rt", "nvidia"}}, .tolerations = {}}};
  Pod pod = selecting({{"rt", "nvidia"}});
  pod.runtime_class = "nvidia";
  CHECK(advised(snapshot, pod) ==
        "or give the label rt=nvidia to a node where the handler of RuntimeClass nvidia is set up: "
        "g1 would then take the pod");
}

}  // namespace nodes_missing_label_test
