#include "scheduler/filters/node_affinity.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace filters_node_affinity_test {

using namespace gpu;
using make::Lines;
using scheduler::Filter;

namespace {

constexpr Filter kFilter = Filter::node_affinity;
const std::string kNo = ": node(s) didn't match Pod's node affinity/selector!";

Snapshot two_nodes() {
  return make::cluster({make::labelled("a", {{"gpu", "L4"}, {"size", "4"}}),
                        make::labelled("b", {{"gpu", "A100"}})});
}

Lines said(const NodeSelector& affinity) {
  Pod pod = make::waiting("p");
  pod.placement.node_affinity = affinity;
  return make::said(two_nodes(), pod, kFilter);
}

NodeSelectorTerm named(std::vector<std::string> names) {
  return {.fields = {{"metadata.name", "In", std::move(names)}}};
}

}  // namespace

TEST_CASE("a node selector is compared letter by letter") {
  Pod pod = make::waiting("p");
  CHECK(make::said(two_nodes(), pod, kFilter) == Lines{"a", "b"});
  pod.node_selector = {{"gpu", "L4"}};
  CHECK(make::said(two_nodes(), pod, kFilter) == Lines{"a", "b" + kNo});
  pod.node_selector = {{"gpu", "l4"}};
  CHECK(make::said(two_nodes(), pod, kFilter) == Lines{"a" + kNo, "b" + kNo});
  pod.node_selector = {{"none", ""}};
  CHECK(make::said(two_nodes(), pod, kFilter) == Lines{"a" + kNo, "b" + kNo});
}

TEST_CASE("terms are alternatives, and all of one must hold") {
  CHECK(said({{.expressions = {{"gpu", "In", {"A100", "H100"}}}}}) == Lines{"a" + kNo, "b"});
  CHECK(said({{.expressions = {{"gpu", "In", {"L4"}}, {"size", "Gt", {"4"}}}}}) ==
        Lines{"a" + kNo, "b" + kNo});
  CHECK(said({{.expressions = {{"size", "Gt", {"3"}}}},
              {.expressions = {{"gpu", "In", {"A100"}}}}}) == Lines{"a", "b"});
}

TEST_CASE("an absent label is not in any list; an empty term matches nothing") {
  CHECK(said({{.expressions = {{"size", "NotIn", {"4"}}}}}) == Lines{"a" + kNo, "b"});
  CHECK(said({{.expressions = {{"size", "DoesNotExist", {}}}}}) == Lines{"a" + kNo, "b"});
  CHECK(said({{}}) == Lines{"a" + kNo, "b" + kNo});
  CHECK(said({}) == Lines{"a" + kNo, "b" + kNo});
}

TEST_CASE("names narrow the nodes, and those outside are counted under the plugin's name") {
  Pod pod = make::waiting("p");
  pod.node_selector = {{"gpu", "L4"}};
  pod.placement.node_affinity = NodeSelector{named({"b"})};
  CHECK(make::message(two_nodes(), pod) ==
        "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) "
        "didn't satisfy plugin(s) [NodeAffinity]. no new claims to deallocate, preemption: 0/2 "
        "nodes are available: 2 Preemption is not helpful for scheduling.");
  pod.placement.node_affinity = NodeSelector{named({"ghost"})};
  CHECK(make::message(two_nodes(), pod) ==
        "0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [NodeAffinity]. no new claims "
        "to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for "
        "scheduling.");
  pod.placement.node_affinity = NodeSelector{named({"b"}), {.expressions = {{"x", "Exists", {}}}}};
  CHECK(make::message(two_nodes(), pod).find("[NodeAffinity]") == std::string::npos);
}

TEST_CASE("names that exclude each other end the cycle before DynamicResources is asked") {
  Pod pod = make::waiting("p");
  NodeSelectorTerm term = named({"a"});
  term.fields.push_back({"metadata.name", "In", {"b"}});
  pod.placement.node_affinity = NodeSelector{term};
  CHECK(make::message(two_nodes(), pod) ==
        "0/2 nodes are available: pod affinity terms conflict. not found");
}

TEST_CASE("the pod's nominated node is filtered even outside, and its filter joins the list") {
  Snapshot snapshot = two_nodes();
  snapshot.nodes[0].taints = {{"k", "v", "NoSchedule"}};
  Pod pod = make::waiting("p");
  pod.nominated_node = "a";
  pod.placement.node_affinity = NodeSelector{named({"ghost"})};
  CHECK(make::message(snapshot, pod)
            .starts_with("0/2 nodes are available: 1 node(s) didn't satisfy plugin(s) "
                         "[NodeAffinity TaintToleration], "
                         "1 node(s) had untolerated taint(s)."));
}

}  // namespace filters_node_affinity_test
