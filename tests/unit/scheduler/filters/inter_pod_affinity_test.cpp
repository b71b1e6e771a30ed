#include "scheduler/filters/inter_pod_affinity.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace filters_inter_pod_affinity_test {

using namespace gpu;
using make::Lines;

namespace {

constexpr scheduler::Filter kFilter = scheduler::Filter::inter_pod_affinity;
const std::string kAffinity = ": node(s) didn't match pod affinity rules!";
const std::string kAnti = ": node(s) didn't match pod anti-affinity rules";
const std::string kExisting = ": node(s) didn't satisfy existing pods anti-affinity rules";

PodAffinityTerm near(std::string app, std::string key = "zone") {
  return {.selector = ObjectSelector{.labels = {{"app", std::move(app)}}},
          .topology_key = std::move(key)};
}

std::vector<Node> zones() {
  return {make::labelled("a", {{"zone", "1"}, {"rack", "1"}}),
          make::labelled("b", {{"zone", "1"}, {"rack", "2"}}), make::labelled("c", {{"zone", "2"}}),
          make::labelled("d", {})};
}

Pod of_app(std::string name, std::string node, std::string app = "x") {
  return make::running(std::move(name), std::move(node), {{"app", std::move(app)}});
}

Pod wanting(std::vector<PodAffinityTerm> affinity) {
  Pod pod = make::waiting("p");
  pod.placement.pod_affinity = std::move(affinity);
  return pod;
}

Pod avoiding(std::vector<PodAffinityTerm> terms) {
  Pod pod = make::waiting("p");
  pod.placement.pod_anti_affinity = std::move(terms);
  return pod;
}

}  // namespace

TEST_CASE("required affinity wants a matching pod in the domain") {
  const Snapshot snapshot = make::cluster(zones(), {of_app("r", "a")});
  CHECK(make::said(snapshot, wanting({near("x")}), kFilter) ==
        Lines{"a", "b", "c" + kAffinity, "d" + kAffinity});
  CHECK(make::said(snapshot, wanting({near("y")}), kFilter) ==
        Lines{"a" + kAffinity, "b" + kAffinity, "c" + kAffinity, "d" + kAffinity});
}

TEST_CASE("a pod counts only if it matches all terms") {
  const Snapshot snapshot = make::cluster(zones(), {of_app("r", "a"), of_app("s", "a", "y")});
  CHECK(make::said(snapshot, wanting({near("x"), near("y", "rack")}), kFilter) ==
        Lines{"a" + kAffinity, "b" + kAffinity, "c" + kAffinity, "d" + kAffinity});
  CHECK(make::said(snapshot, wanting({near("x"), near("x", "rack")}), kFilter) ==
        Lines{"a", "b" + kAffinity, "c" + kAffinity, "d" + kAffinity});
}

TEST_CASE("the first of a group that wants itself may start where the keys are") {
  Pod pod = wanting({near("x")});
  pod.labels = {{"app", "x"}};
  CHECK(make::said(make::cluster(zones()), pod, kFilter) == Lines{"a", "b", "c", "d" + kAffinity});
  // A matching pod anywhere ends that, even one that only its own node's key shows.
  CHECK(make::said(make::cluster(zones(), {of_app("r", "c")}), pod, kFilter) ==
        Lines{"a" + kAffinity, "b" + kAffinity, "c", "d" + kAffinity});
  // On a node without the key it does not count.
  CHECK(make::said(make::cluster(zones(), {of_app("r", "d")}), pod, kFilter) ==
        Lines{"a", "b", "c", "d" + kAffinity});
}

TEST_CASE("own anti-affinity keeps away from the whole domain; terminating pods count") {
  Pod leaving = of_app("r", "a");
  leaving.deleted = Time{};
  const Snapshot snapshot = make::cluster(zones(), {leaving});
  CHECK(make::said(snapshot, avoiding({near("x")}), kFilter) ==
        Lines{"a" + kAnti, "b" + kAnti, "c", "d"});
  CHECK(make::said(snapshot, avoiding({near("x", "rack"), near("y")}), kFilter) ==
        Lines{"a" + kAnti, "b", "c", "d"});
}

TEST_CASE("others' anti-affinity keeps the pod away") {
  Pod loner = make::running("r", "a");
  loner.placement.pod_anti_affinity = {near("x")};
  Pod pod = make::waiting("p");
  const Snapshot snapshot = make::cluster(zones(), {loner});
  CHECK(make::said(snapshot, pod, kFilter) == Lines{"a", "b", "c", "d"});
  pod.labels = {{"app", "x"}};
  CHECK(make::said(snapshot, pod, kFilter) == Lines{"a" + kExisting, "b" + kExisting, "c", "d"});
  const scheduler::Change change{.ended = {&snapshot.pods[0]}};
  CHECK(make::said(snapshot, pod, kFilter, change) == Lines{"a", "b", "c", "d"});
}

TEST_CASE("a term is about the pod's own namespace, those it lists, and those it selects") {
  Pod other = of_app("r", "a");
  other.ns = "web";
  Snapshot snapshot = make::cluster(zones(), {other});
  snapshot.scheduling.namespaces = {{.name = "ml"}, {.name = "web", .labels = {{"team", "w"}}}};
  PodAffinityTerm term = near("x");
  const auto first = [&] { return make::said(snapshot, avoiding({term}), kFilter)[0]; };
  CHECK(first() == "a");
  term.namespaces = {"web"};
  CHECK(first() == "a" + kAnti);
  term.namespaces = {"ml"};
  CHECK(first() == "a");
  term.namespace_selector = ObjectSelector{.labels = {{"team", "w"}}};
  CHECK(first() == "a" + kAnti);
  term.namespace_selector = ObjectSelector{.labels = {{"team", "none"}}};
  CHECK(first() == "a");
  term.namespace_selector = ObjectSelector{};  // all
  CHECK(first() == "a" + kAnti);
  term.namespaces.clear();
  term.namespace_selector = ObjectSelector{.labels = {{"team", "none"}}};
  CHECK(first() == "a");
}

TEST_CASE("others' terms look at the labels of the pod's namespace") {
  Pod loner = make::running("r", "a");
  loner.ns = "web";
  loner.placement.pod_anti_affinity = {near("x")};
  loner.placement.pod_anti_affinity[0].namespace_selector =
      ObjectSelector{.labels = {{"team", "m"}}};
  Pod pod = make::waiting("p");
  pod.labels = {{"app", "x"}};
  Snapshot snapshot = make::cluster(zones(), {loner});
  CHECK(make::said(snapshot, pod, kFilter)[0] == "a");
  snapshot.scheduling.namespaces = {{.name = "ml", .labels = {{"team", "m"}}}};
  CHECK(make::said(snapshot, pod, kFilter)[0] == "a" + kExisting);
}

TEST_CASE("pods that end count nowhere, so that affinity to them fails") {
  const Snapshot snapshot = make::cluster(zones(), {of_app("r", "a")});
  const scheduler::Change change{.ended = {&snapshot.pods[0]}};
  CHECK(make::said(snapshot, wanting({near("x")}), kFilter, change)[1] == "b" + kAffinity);
  CHECK(make::said(snapshot, avoiding({near("x")}), kFilter, change)[1] == "b");
}

TEST_CASE("with terms that select namespaces, namespaces that were not read are told of") {
  Snapshot snapshot = make::cluster(zones());
  snapshot.scheduling.coverages.clear();
  PodAffinityTerm term = near("x");
  term.namespace_selector = ObjectSelector{.labels = {{"team", "x"}}};
  const scheduler::Cluster cluster(snapshot);
  CHECK(scheduler::judge(cluster, avoiding({near("x")})).not_checked.empty());
  CHECK(scheduler::judge(cluster, avoiding({term})).not_checked == Lines{"namespaces' labels"});
}

TEST_CASE("a nominated pod satisfies no affinity, and its anti-affinity counts") {
  Pod nominated = make::waiting("n");
  nominated.labels = {{"app", "x"}};
  nominated.nominated_node = "a";
  // Passes with the nominated pod, and then fails without it.
  CHECK(make::said(make::cluster(zones(), {nominated}), wanting({near("x")}), kFilter)[0] ==
        "a" + kAffinity);
  CHECK(make::said(make::cluster(zones(), {nominated}), avoiding({near("x")}), kFilter) ==
        Lines{"a" + kAnti, "b", "c", "d"});
}

TEST_CASE("pods that keep nobody away are not among those that do") {
  Pod apart = of_app("apart", "a");
  apart.placement.pod_anti_affinity = {near("x")};
  const Snapshot snapshot = make::cluster(zones(), {of_app("free", "a"), apart});
  const scheduler::Cluster cluster(snapshot);
  const scheduler::AntiAffinityPods found(cluster);
  REQUIRE(found.groups.size() == 1);
  CHECK(found.groups.front().pod->name == "apart");
}

}  // namespace filters_inter_pod_affinity_test
