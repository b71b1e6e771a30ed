#include "scheduler/filters/taint_toleration.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace filters_taint_toleration_test {

using namespace gpu;
using make::Lines;
using scheduler::Filter;

namespace {

Node tainted(std::string name, std::vector<Taint> taints) {
  Node node = make::node(std::move(name), 0);
  node.taints = std::move(taints);
  return node;
}

Lines said(std::vector<Taint> taints, std::vector<Toleration> tolerations,
           std::string version = "v1.36.1") {
  Pod pod = make::waiting("p");
  pod.tolerations = std::move(tolerations);
  return make::said(make::cluster({tainted("a", std::move(taints))}, {}, std::move(version)), pod,
                    Filter::taint_toleration);
}

const Lines kNo = {"a: node(s) had untolerated taint(s)!"};
const Lines kYes = {"a"};

}  // namespace

TEST_CASE("NoSchedule and NoExecute keep pods away, PreferNoSchedule does not") {
  CHECK(said({{"k", "v", "NoSchedule"}}, {}) == kNo);
  CHECK(said({{"k", "v", "NoExecute"}}, {}) == kNo);
  CHECK(said({{"k", "v", "PreferNoSchedule"}}, {}) == kYes);
}

TEST_CASE("a toleration covers a taint by key, value and effect") {
  const std::vector<Taint> taint = {{"k", "v", "NoSchedule"}};
  CHECK(said(taint, {{"k", "Equal", "v", "NoSchedule"}}) == kYes);
  CHECK(said(taint, {{"k", "", "v", ""}}) == kYes);
  CHECK(said(taint, {{"k", "Exists", "", ""}}) == kYes);
  CHECK(said(taint, {{"", "Exists", "", ""}}) == kYes);
  CHECK(said(taint, {{"k", "Equal", "w", ""}}) == kNo);
  CHECK(said(taint, {{"k", "Exists", "", "NoExecute"}}) == kNo);
  CHECK(said(taint, {{"k", "Gt", "1", ""}}) == kNo);
}

TEST_CASE("until 1.34.1 the text names the first taint that is not tolerated") {
  const std::vector<Taint> taints = {
      {"soft", "", "PreferNoSchedule"}, {"ok", "", "NoSchedule"}, {"k", "", "NoSchedule"}};
  const std::vector<Toleration> tolerations = {{"ok", "Exists", "", ""}};
  CHECK(said(taints, tolerations, "v1.34.1") == Lines{"a: node(s) had untolerated taint {k: }!"});
  CHECK(said(taints, tolerations, "v1.34.2") == kNo);
}

TEST_CASE("a cordon is decided by the field, before the taint that comes with it") {
  Node node = tainted("a", {{"node.kubernetes.io/unschedulable", "", "NoSchedule"}});
  node.unschedulable = true;
  const Snapshot snapshot = make::cluster({node});
  Pod pod = make::waiting("p");
  CHECK(make::message(snapshot, pod).find("1 node(s) were unschedulable.") != std::string::npos);
  CHECK(make::said(snapshot, pod, Filter::node_unschedulable) ==
        Lines{"a: node(s) were unschedulable!"});
  CHECK(make::said(snapshot, pod, Filter::taint_toleration) == kNo);
  pod.tolerations = {{"node.kubernetes.io/unschedulable", "Exists", "", "NoSchedule"}};
  CHECK(make::message(snapshot, pod).empty());
}

TEST_CASE("a fix that uncordons or takes a taint is judged without it") {
  Node node = tainted("a", {{"k", "v", "NoSchedule"}, {"k", "w", "NoSchedule"}});
  node.unschedulable = true;
  const Snapshot snapshot = make::cluster({node});
  const Pod pod = make::waiting("p");
  const scheduler::Change uncordoned{.uncordoned = {"a"}};
  CHECK(make::said(snapshot, pod, Filter::node_unschedulable, uncordoned) == Lines{"a"});
  CHECK(make::said(snapshot, pod, Filter::taint_toleration, uncordoned) == kNo);
  scheduler::Change untainted{.untainted = {{"a", {"k", "v", "NoSchedule"}}}};
  CHECK(make::said(snapshot, pod, Filter::taint_toleration, untainted) == kNo);
  untainted.untainted.push_back({"a", {"k", "w", "NoSchedule"}});
  CHECK(make::said(snapshot, pod, Filter::taint_toleration, untainted) == kYes);
}

}  // namespace filters_taint_toleration_test
