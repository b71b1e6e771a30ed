#include "plan/daemon.hpp"
#include "plan/explain_planned.hpp"

#include <catch2/catch.hpp>

#include "admission/api/admission.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace plan_daemon_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::admission;
using namespace gpu::diagnose;
using namespace gpu::plan;
using namespace gpu::scheduler;

namespace {

Pod daemon(std::int64_t gpus) {
  Pod pod = make::waiting("agent", gpus);
  pod.containers[0].limits = pod.containers[0].requests;
  pod.owners = {{.kind = "DaemonSet", .name = "agent", .api_version = "apps/v1"}};
  admit(pod, {});
  return pod;
}

Explanation answer(const Snapshot& snapshot, const Pod& pod) {
  return explain_daemons(Cluster(snapshot), pod, {.manifest = "a.yaml"});
}

Snapshot three_nodes() {
  Snapshot snapshot = make::cluster({make::node("a", 8), make::node("b", 8), make::node("c", 0)},
                                    {make::running("holds", "b", {}, 8)});
  snapshot.nodes[0].unschedulable = true;
  return snapshot;
}

}  // namespace

TEST_CASE("a DaemonSet has a pod on each node that it selects, cordoned ones too") {
  const Explanation all = answer(three_nodes(), daemon(0));
  CHECK_FALSE(all.is_blocked);
  CHECK(all.summary == "it would start on all 3 nodes that it creates pods for");
  Snapshot tainted = three_nodes();
  tainted.nodes[2].taints = {{.key = "k", .effect = "NoSchedule"}};
  const Explanation two = answer(tainted, daemon(0));
  CHECK(two.summary == "it would start on all 2 nodes that it creates pods for");
  CHECK_THAT(two.remarks.at(0).text, Contains("it creates no pod on 1 other node"));
}

TEST_CASE("where its pods would wait is told by node") {
  const Explanation some = answer(three_nodes(), daemon(2));
  CHECK(some.is_blocked);
  CHECK(some.code == Code::insufficient_gpus);
  CHECK_THAT(some.summary, Contains("it would start on 1 of the 3 nodes that it creates pods for"));
  CHECK_THAT(some.summary, Contains("on b") && Contains("on c"));
}

TEST_CASE("a quota counts each pod of a DaemonSet") {
  Snapshot snapshot = three_nodes();
  snapshot.scheduling.quotas = {{.ns = "ml",
                                 .name = "team",
                                 .hard = {{"pods", Quantity::of(4)}},
                                 .used = {{"pods", Quantity::of(2)}}}};
  const Explanation two = answer(snapshot, daemon(0));
  CHECK(two.is_blocked);
  CHECK(two.code == Code::quota_exceeded);
  CHECK(two.summary ==
        "2 of its 3 pods would be made; the next: the quota team of namespace ml has no room for "
        "it: 4 of 4 pods are taken, and the pod requests 1");
  snapshot.scheduling.quotas[0].hard.set("pods", Quantity::of(5));
  CHECK_FALSE(answer(snapshot, daemon(0)).is_blocked);
}

TEST_CASE("a DaemonSet that selects no node makes no pods") {
  Pod pod = daemon(0);
  pod.node_selector.set("gpu", "yes");
  const Explanation none = answer(three_nodes(), pod);
  CHECK(none.is_blocked);
  CHECK_THAT(none.summary, Contains("it would create no pods: "));
  CHECK(none.code == Code::node_selector_mismatch);
}

TEST_CASE("a planned pod that is bound to a node that does not exist") {
  Pod pod = make::waiting("p", 0);
  pod.node_name = "aa";
  const Snapshot snapshot = three_nodes();
  const Explanation lost = explain_planned(Cluster(snapshot), pod, {.manifest = "a.yaml"});
  CHECK(lost.is_blocked);
  CHECK(lost.code == Code::node_selector_mismatch);
  CHECK(lost.summary ==
        "spec.nodeName binds it to the node aa, which does not exist: no scheduler looks at it, "
        "and the pod garbage collector deletes it");
  CHECK(lost.predicted_message.empty());
  pod.node_name = "c";
  CHECK_FALSE(explain_planned(Cluster(snapshot), pod, {.manifest = "a.yaml"}).is_blocked);
}

}  // namespace plan_daemon_test
