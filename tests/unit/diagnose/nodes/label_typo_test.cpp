#include "diagnose/nodes/label_typo.hpp"

#include <catch2/catch.hpp>

#include "diagnose/fix/fixes.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace nodes_label_typo_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

FixSearch searched(const Snapshot& snapshot, const Pod& pod) {
  const Cluster cluster(snapshot);
  const Verdict verdict = judge(cluster, pod);
  const NodeReasons reasons(cluster, pod, verdict);
  return fixes_for(cluster, pod, verdict, reasons, {});
}

Pod selecting(StringMap labels) {
  Pod pod = make::waiting("p", 1);
  pod.node_selector = std::move(labels);
  return pod;
}

Pod requiring(NodeSelector terms) {
  Pod pod = make::waiting("p", 1);
  pod.placement.node_affinity = std::move(terms);
  return pod;
}

NodeSelectorTerm in(std::string key, std::vector<std::string> values) {
  return {.expressions = {{std::move(key), "In", std::move(values)}}, .fields = {}};
}

Snapshot two_products() {
  return make::cluster(
      {make::labelled("a", {{"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB"}}, 8),
       make::labelled("b", {{"nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3"}}, 8),
       make::labelled("c", {{"nvidia.com/gpu.product", "NVIDIA-H100-80GB-HBM3"}}, 8)},
      {});
}

}  // namespace

TEST_CASE("a part, a slip or another letter case of a label's value is corrected") {
  for (const std::string typo :
       {"A100", "NVIDIA-A100", "nvidia-a100-sxm4-80gb", "SXM4-80GB", "NVIDIA-A100-SXM4-80G"}) {
    const FixSearch found = searched(two_products(), selecting({{"nvidia.com/gpu.product", typo}}));
    INFO(typo);
    REQUIRE(found.fixes.size() == 1);
    CHECK(
        found.fixes.front().summary ==
        "change pod/p to select nvidia.com/gpu.product=NVIDIA-A100-SXM4-80GB: tested, the pod then "
        "fits on a");
  }
}

TEST_CASE("a label's key is corrected, and the one that no node has goes") {
  for (const std::string typo : {"nvidia.com/gpu.prodcut", "gpu.product"}) {
    const FixSearch found = searched(two_products(), selecting({{typo, "NVIDIA-A100-SXM4-80GB"}}));
    INFO(typo);
    REQUIRE_FALSE(found.fixes.empty());
    CHECK(found.fixes.front().summary ==
          "change pod/p to select nvidia.com/gpu.product=NVIDIA-A100-SXM4-80GB instead of " + typo +
              ": tested, the pod then fits on a");
    CHECK(found.fixes.front().patch ==
          "spec:\n  nodeSelector:\n    " + typo +
              ": null\n    nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB    # new\n");
  }
}

TEST_CASE("a slip in required node affinity is corrected in its term alone") {
  const FixSearch found =
      searched(two_products(), requiring({in("nvidia.com/gpu.product", {"V100"}),
                                          in("nvidia.com/gpu.product", {"T4", "A100"})}));
  REQUIRE(found.fixes.size() == 1);
  CHECK(found.fixes.front().summary ==
        "change pod/p to require nvidia.com/gpu.product in (T4,NVIDIA-A100-SXM4-80GB) in its node "
        "affinity: tested, the pod then fits on a");
  CHECK(found.fixes.front().patch ==
        "spec:\n"
        "  affinity:\n"
        "    nodeAffinity:\n"
        "      requiredDuringSchedulingIgnoredDuringExecution:\n"
        "        nodeSelectorTerms:\n"
        "        - matchExpressions:\n"
        "          - {key: nvidia.com/gpu.product, operator: In, values: [V100]}    "
        "# already there\n"
        "        - matchExpressions:\n"
        "          - {key: nvidia.com/gpu.product, operator: In, values: "
        "[T4, NVIDIA-A100-SXM4-80GB]}    # new\n");
}

TEST_CASE("the affinity that a DaemonSet gave its pod is not corrected") {
  Pod pod = requiring({in("nvidia.com/gpu.product", {"A100"})});
  pod.owners = {
      {.kind = "DaemonSet", .name = "d", .uid = "u", .api_version = {}, .controller = true}};
  CHECK(searched(two_products(), pod).fixes.empty());
}

TEST_CASE("where no label is near, those that nodes have are named") {
  const FixSearch found = searched(two_products(), selecting({{"nvidia.com/gpu.product", "L4"}}));
  CHECK(found.fixes.empty());
  REQUIRE(found.advice.size() == 1);
  CHECK(found.advice.front().summary ==
        "select what nodes have: nvidia.com/gpu.product is NVIDIA-H100-80GB-HBM3 on 2 nodes, "
        "NVIDIA-A100-SXM4-80GB on 1");
}

TEST_CASE("of the values that nodes have, those nearest to what was asked for come first") {
  std::vector<Node> nodes;
  for (const char* product : {"A", "A", "B", "B", "C", "C", "D", "D", "Tesla-T4-SHARED"})
    nodes.push_back(make::labelled("n" + std::to_string(nodes.size()), {{"gpu", product}}, 1));
  CHECK(searched(make::cluster(std::move(nodes)), selecting({{"gpu", "Tesla-T4"}}))
            .advice.front()
            .summary ==
        "select what nodes have: gpu is Tesla-T4-SHARED on 1 node, A on 2, B on 2, C on 2, and 1 "
        "more value");
}

TEST_CASE("a slice of a card, or a part of its time, is not what was meant by the card") {
  const Snapshot slices = make::cluster(
      {make::labelled("a", {{"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB-MIG-1g.10gb"}}, 8)},
      {});
  const FixSearch found =
      searched(slices, selecting({{"nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB"}}));
  CHECK(found.fixes.empty());
  CHECK(found.advice.front().summary ==
        "select what nodes have: nvidia.com/gpu.product is NVIDIA-A100-SXM4-80GB-MIG-1g.10gb on 1 "
        "node");
}

TEST_CASE("of several values the nearest was meant") {
  const Snapshot snapshot = make::cluster(
      {make::labelled("a", {{"gpu", "T4"}}, 8), make::labelled("b", {{"gpu", "NVIDIA-L4"}}, 8),
       make::labelled("c", {{"gpu", "A100"}}, 8)},
      {});
  REQUIRE(searched(snapshot, selecting({{"gpu", "L4"}})).fixes.size() == 1);
  CHECK(searched(snapshot, selecting({{"gpu", "L4"}})).fixes.front().summary ==
        "change pod/p to select gpu=NVIDIA-L4: tested, the pod then fits on b");
}

TEST_CASE("where the key is a slip, a value that nodes have is none") {
  const Snapshot snapshot = make::cluster({make::labelled("a", {{"example.com/pool", "one-1"}}, 8),
                                           make::labelled("b", {{"example.com/pool", "one-2"}}, 8)},
                                          {});
  const FixSearch found = searched(snapshot, selecting({{"example.com/pol", "one-2"}}));
  REQUIRE(found.fixes.size() == 1);
  CHECK(found.fixes.front().summary ==
        "change pod/p to select example.com/pool=one-2 instead of example.com/pol: tested, the pod "
        "then "
        "fits on b");
}

}  // namespace nodes_label_typo_test
