#include "diagnose/lifecycle/overdue_end.hpp"

#include <catch2/catch.hpp>

#include "diagnose/explain/explain.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace lifecycle_overdue_end_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

const Time kNow{std::chrono::seconds{1'000'000}};

Pod ending(std::string node, std::chrono::minutes ago) {
  Pod pod = make::running("ss-0", std::move(node), {}, 1);
  pod.deleted = kNow - ago;
  return pod;
}

Explanation answer(const Node& node, const Pod& pod) {
  const Snapshot snapshot = make::cluster({node}, {pod});
  return explain(Cluster(snapshot), pod, {.now = kNow});
}

Node lost() {
  Node node = make::node("g1", 8);
  node.conditions = {
      {.type = "Ready", .status = "Unknown", .last_transition = kNow - std::chrono::minutes{70}}};
  return node;
}

}  // namespace

TEST_CASE("a pod that ends on a lost node stays until somebody acts") {
  const Explanation it = answer(lost(), ending("g1", std::chrono::minutes{60}));
  CHECK(it.is_blocked);
  CHECK(it.code == Code::node_not_ready);
  CHECK(it.summary ==
        "it should have ended 60m ago, and g1 has not been ready for 70m: the pod stays until the "
        "node is back, or is known to be off");
  CHECK(it.waiting == std::chrono::minutes{60});
  REQUIRE(it.advice.size() == 3);
  CHECK_THAT(it.advice[1].command, Contains("out-of-service=nodeshutdown:NoExecute"));
  CHECK_THAT(it.advice[1].summary, Contains("surely off"));
  CHECK_THAT(it.advice[2].command, Contains("--force"));
}

TEST_CASE("a pod has minutes to end") {
  const Explanation it = answer(lost(), ending("g1", std::chrono::minutes{5}));
  CHECK_FALSE(it.is_blocked);
  CHECK(it.summary == "it is being deleted");
}

TEST_CASE("who is to go waits for nothing: it has no row among those who wait") {
  Pod waits = make::waiting("p", 16);
  Pod unbound = ending("", std::chrono::minutes{60});
  unbound.phase = "Pending";
  const auto rows = [](const Pod& pod) {
    const Snapshot snapshot = make::cluster({lost()}, {pod});
    return explain_all(Cluster(snapshot), "", {.now = kNow}).size();
  };
  CHECK(rows(waits) == 1);
  waits.deleted = kNow - std::chrono::minutes{60};
  CHECK(rows(waits) == 0);
  CHECK(rows(unbound) == 0);
  CHECK(rows(ending("g1", std::chrono::minutes{60})) == 0);
}

TEST_CASE("what no kubelet has is kept by a finalizer; what one has, by either") {
  const Explanation unbound = answer(make::node("g1", 8), [] {
    Pod pod = ending("", std::chrono::minutes{60});
    pod.phase = "Pending";
    return pod;
  }());
  CHECK(unbound.is_blocked);
  CHECK(unbound.summary == "it has been terminating for 60m too long: a finalizer is still set");
  CHECK(unbound.advice.front().command ==
        "kubectl get pod ss-0 -n ml -o jsonpath='{.metadata.finalizers}'");
  const Explanation bound = answer(make::node("g1", 8), ending("g1", std::chrono::minutes{60}));
  CHECK(bound.summary ==
        "it should have ended 60m ago, and g1 still has it: nothing that was read says why");
}

}  // namespace lifecycle_overdue_end_test
