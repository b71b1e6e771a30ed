#include "scheduler/filters/pod_topology_spread.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace filters_pod_topology_spread_test {

using namespace gpu;
using make::Lines;

namespace {

constexpr scheduler::Filter kFilter = scheduler::Filter::pod_topology_spread;
const std::string kSkewed = ": node(s) didn't match pod topology spread constraints";
const std::string kNoLabel =
    ": node(s) didn't match pod topology spread constraints (missing required label)!";

TopologySpread by(std::string key) {
  return {.max_skew = 1,
          .topology_key = std::move(key),
          .when_unsatisfiable = "DoNotSchedule",
          .selector = ObjectSelector{.labels = {{"app", "x"}}}};
}

Pod spreading(TopologySpread rule) {
  Pod pod = make::waiting("p");
  pod.labels = {{"app", "x"}};
  pod.placement.spread = {std::move(rule)};
  return pod;
}

std::vector<Node> zones() {
  return {make::labelled("a", {{"zone", "1"}}), make::labelled("b", {{"zone", "2"}}),
          make::labelled("c", {{"zone", "2"}}), make::labelled("d", {})};
}

Pod of_app(std::string name, std::string node) {
  return make::running(std::move(name), std::move(node), {{"app", "x"}});
}

}  // namespace

TEST_CASE("a domain may have maxSkew more than the emptiest") {
  Snapshot snapshot = make::cluster(zones(), {of_app("r", "a")});
  CHECK(make::said(snapshot, spreading(by("zone")), kFilter) ==
        Lines{"a" + kSkewed, "b", "c", "d" + kNoLabel});
  TopologySpread rule = by("zone");
  rule.max_skew = 2;
  CHECK(make::said(snapshot, spreading(rule), kFilter) == Lines{"a", "b", "c", "d" + kNoLabel});
  rule = by("zone");
  rule.when_unsatisfiable = "ScheduleAnyway";
  CHECK(make::said(snapshot, spreading(rule), kFilter) == Lines{"a", "b", "c", "d"});
}

TEST_CASE("only live pods of the namespace that the selector matches count") {
  Pod leaving = of_app("leaving", "a");
  leaving.deleted = Time{};
  Pod elsewhere = of_app("elsewhere", "a");
  elsewhere.ns = "web";
  const Snapshot snapshot =
      make::cluster(zones(), {leaving, elsewhere, make::running("other", "a", {{"app", "y"}})});
  CHECK(make::said(snapshot, spreading(by("zone")), kFilter) ==
        Lines{"a", "b", "c", "d" + kNoLabel});
}

TEST_CASE("nodes that node affinity leaves out are no domains, unless the policy says Ignore") {
  const Snapshot snapshot = make::cluster(zones(), {of_app("r", "a")});
  Pod pod = spreading(by("zone"));
  pod.node_selector = {{"zone", "1"}};
  CHECK(make::said(snapshot, pod, kFilter) == Lines{"a", "b", "c", "d" + kNoLabel});
  pod.placement.spread[0].node_affinity_policy = "Ignore";
  CHECK(make::said(snapshot, pod, kFilter) == Lines{"a" + kSkewed, "b", "c", "d" + kNoLabel});
}

TEST_CASE("tainted nodes are domains, unless the policy says Honor") {
  std::vector<Node> nodes = zones();
  nodes[1].taints = nodes[2].taints = {{"k", "v", "NoSchedule"}};
  const Snapshot snapshot = make::cluster(nodes, {of_app("r", "a")});
  Pod pod = spreading(by("zone"));
  CHECK(make::said(snapshot, pod, kFilter)[0] == "a" + kSkewed);
  pod.placement.spread[0].node_taints_policy = "Honor";
  CHECK(make::said(snapshot, pod, kFilter)[0] == "a");
  // A fix that takes the taint makes the zone a domain again.
  const scheduler::Change change{.untainted = {{"b", {"k", "v", "NoSchedule"}}}};
  CHECK(make::said(snapshot, pod, kFilter, change)[0] == "a" + kSkewed);
}

TEST_CASE("with fewer domains than minDomains the least is taken for 0") {
  const Snapshot snapshot = make::cluster(zones(), {of_app("r", "a"), of_app("s", "b")});
  TopologySpread rule = by("zone");
  CHECK(make::said(snapshot, spreading(rule), kFilter) == Lines{"a", "b", "c", "d" + kNoLabel});
  rule.min_domains = 3;
  CHECK(make::said(snapshot, spreading(rule), kFilter) ==
        Lines{"a" + kSkewed, "b" + kSkewed, "c" + kSkewed, "d" + kNoLabel});
}

TEST_CASE("matchLabelKeys narrow the selector to the pod's own values") {
  Pod old = of_app("old", "a");
  old.labels.set("rev", "1");
  Pod pod = spreading(by("zone"));
  pod.labels.set("rev", "2");
  const Snapshot snapshot = make::cluster(zones(), {old});
  CHECK(make::said(snapshot, pod, kFilter)[0] == "a" + kSkewed);
  pod.placement.spread[0].match_label_keys = {"rev", "none"};
  CHECK(make::said(snapshot, pod, kFilter)[0] == "a");
}

TEST_CASE("a pod that does not match its own selector adds nothing") {
  Pod pod = spreading(by("zone"));
  pod.labels.clear();
  CHECK(make::said(make::cluster(zones(), {of_app("r", "a")}), pod, kFilter)[0] == "a");
  pod.placement.spread[0].selector.reset();
  CHECK(make::said(make::cluster(zones(), {of_app("r", "a")}), pod, kFilter)[0] == "a");
}

TEST_CASE("an empty selector counts no pod but the new one") {
  Pod pod = spreading(by("zone"));
  pod.placement.spread[0].selector = ObjectSelector{};
  const Snapshot snapshot = make::cluster(zones(), {of_app("r", "a"), of_app("s", "a")});
  CHECK(make::said(snapshot, pod, kFilter)[0] == "a");
}

TEST_CASE("pods that end change the counts of the whole cluster") {
  const Snapshot snapshot = make::cluster(zones(), {of_app("r", "a"), of_app("s", "b")});
  CHECK(make::said(snapshot, spreading(by("zone")), kFilter)[0] == "a");
  const scheduler::Change change{.ended = {&snapshot.pods[1]}};
  CHECK(make::said(snapshot, spreading(by("zone")), kFilter, change) ==
        Lines{"a" + kSkewed, "b", "c", "d" + kNoLabel});
}

TEST_CASE("a nominated pod counts in its zone") {
  Pod nominated = make::waiting("n");
  nominated.labels = {{"app", "x"}};
  nominated.nominated_node = "b";
  const Snapshot snapshot = make::cluster(zones(), {nominated});
  // On c the pod is not there: upstream adds it only while it looks at its own node.
  CHECK(make::said(snapshot, spreading(by("zone")), kFilter) ==
        Lines{"a", "b" + kSkewed, "c", "d" + kNoLabel});
}

}  // namespace filters_pod_topology_spread_test
