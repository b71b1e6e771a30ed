#include "diagnose/nodes/selector_cause.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace nodes_selector_cause_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

/// Of a cluster whose nodes have zone=a and rack=1, and zone=b and rack=2.
Cause cause(const StringMap& selector, const std::vector<std::vector<Requirement>>& terms = {}) {
  Pod pod = make::waiting("p", 1);
  pod.node_selector = selector;
  if (!terms.empty()) {
    pod.placement.node_affinity.emplace();
    for (const auto& each : terms) {
      NodeSelectorTerm term;
      term.expressions = each;
      pod.placement.node_affinity->push_back(term);
    }
  }
  const Snapshot snapshot =
      make::cluster({make::labelled("n1", {{"zone", "a"}, {"rack", "1"}}, 8),
                     make::labelled("n2", {{"zone", "b"}, {"rack", "2"}}, 8)});
  Cause made = selector_cause(scheduler::Cluster(snapshot), pod);
  CHECK(made.code == Code::node_selector_mismatch);
  return made;
}

}  // namespace

TEST_CASE("the first label that no node has is named") {
  CHECK(cause({{"zone", "c"}}).summary == "no node has the label zone=c");
  CHECK(cause({{"zone", "c"}}).nearest == "no node has the label zone=c");
  CHECK(cause({{"zone", "a"}, {"model", "x"}}).summary == "no node has the label model=x");
  CHECK(cause({{"zone", "a"}}, {{{"model", "Exists", {}}}}).summary ==
        "no node has the label model");
  CHECK_THAT(cause({}, {{{"zone", "In", {"c", "d"}}}}).summary,
             Catch::StartsWith("no node has labels with zone"));
}

TEST_CASE("labels that no node has together are all named") {
  const Cause it = cause({{"zone", "a"}, {"rack", "2"}});
  CHECK(it.summary == "no node has all labels that the pod selects: rack=2, zone=a");
  CHECK(it.nearest.empty());
}

TEST_CASE("an affinity with several terms is told whole") {
  CHECK(cause({}, {{{"zone", "In", {"c"}}}, {{"zone", "In", {"d"}}}}).summary ==
        "no node meets the pod's node affinity: zone=c, or zone=d");
  CHECK(cause({{"zone", "a"}}).summary == "no node has the labels that the pod selects");
}

}  // namespace nodes_selector_cause_test
