#include "cost/forecast/node_refusals.hpp"

#include <catch2/catch.hpp>

#include "make.hpp"

namespace gpu::cost::forecast_node_refusals_test {
namespace {

Node tainted() {
  Node node = make::node("gpu-a", 8);
  node.taints.push_back({.key = "team", .value = "x", .effect = "NoSchedule"});
  return node;
}

}  // namespace

TEST_CASE("taints, selectors and size are said as why-pending says them") {
  const Snapshot snapshot = make::snapshot({tainted()}, {make::pod("other", "gpu-a", 8)});
  NodeRefusals refusals(snapshot);
  CHECK(refusals.reason(make::pod("train", "", 1)) ==
        "pod does not tolerate team=x:NoSchedule of gpu-a, the only node that has GPUs");
  Pod choosy = make::pod("train", "", 1);
  choosy.node_selector.set("pool", "h100");
  CHECK_FALSE(refusals.reason(choosy).empty());
  Pod large = make::pod("train", "", 16);
  CHECK(refusals.reason(large) ==
        "pod needs 16 GPUs on one node, and no node it may run on has more than 8");
}

TEST_CASE("what passes is no reason: cordons, ill nodes, and GPUs that others hold") {
  Node ill = make::node("gpu-a", 8);
  ill.unschedulable = true;
  ill.conditions.clear();
  ill.taints.push_back(
      {.key = "node.kubernetes.io/unreachable", .value = {}, .effect = "NoSchedule"});
  const Snapshot snapshot = make::snapshot({ill}, {});
  CHECK(NodeRefusals(snapshot).reason(make::pod("train", "", 1)).empty());
}

TEST_CASE("nothing is said of nodes that were not read, nor of claims") {
  const Snapshot unseen;
  CHECK(NodeRefusals(unseen).reason(make::pod("train", "", 1)).empty());
  const Snapshot snapshot = make::snapshot({tainted()}, {});
  Pod claiming = make::pod("train", "", 0);
  claiming.claim_slots = {{.name = "gpus", .claim_template = "two"}};
  CHECK(NodeRefusals(snapshot).reason(claiming).empty());
}

}  // namespace gpu::cost::forecast_node_refusals_test
