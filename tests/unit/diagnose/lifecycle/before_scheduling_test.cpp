#include "diagnose/lifecycle/before_scheduling.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace lifecycle_before_scheduling_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

TEST_CASE("a group of pods that waits is told by its scheduler's words") {
  Pod pod = make::waiting("p", 1);
  pod.conditions = {{.type = "PodScheduled",
                     .status = "False",
                     .reason = "Unschedulable",
                     .message = "waiting for minCount pods from a gang to be scheduled"}};
  const Snapshot snapshot = make::cluster({make::node("a", 1)}, {pod});
  const auto answer = before_scheduling(Cluster(snapshot), pod, {});
  REQUIRE(answer);
  CHECK(answer->code == Code::gang_waiting);
}

TEST_CASE("a scheduler that answered, or has a Lease, is known") {
  Pod pod = make::waiting("p", 1);
  pod.scheduler_name = "other";
  Snapshot snapshot = make::cluster({make::node("a", 1)}, {pod});
  const auto answer = before_scheduling(Cluster(snapshot), pod, {});
  REQUIRE(answer);
  CHECK(answer->code == Code::unknown_scheduler);
  CHECK(answer->summary == "nothing that was read shows that its scheduler other runs");
  snapshot.scheduling.coverages["leases"] = Coverage::whole;
  CHECK(before_scheduling(Cluster(snapshot), pod, {})->summary ==
        "its scheduler other does not seem to run");
  snapshot.scheduling.leases = {"other"};
  CHECK_FALSE(before_scheduling(Cluster(snapshot), pod, {}));
}

TEST_CASE("a gated pod of a manifest is not there to be got") {
  Pod pod = make::waiting("p", 1);
  pod.scheduling_gates = {"a/b"};
  const Snapshot snapshot = make::cluster({make::node("a", 1)});
  const auto command = [&](const ExplainOptions& options) {
    return before_scheduling(Cluster(snapshot), pod, options)->advice.at(0).command;
  };
  CHECK(command({}) == "kubectl get pod p -n ml -o yaml");
  CHECK(command({.manifest = "a.yaml"}).empty());
}

TEST_CASE("a pod that ends in time is on its way, not blocked") {
  Pod pod = make::waiting("p", 1);
  pod.deleted = Time{std::chrono::hours{1}};
  const Snapshot snapshot = make::cluster({make::node("a", 1)}, {pod});
  const auto answer =
      before_scheduling(Cluster(snapshot), pod, {.now = Time{std::chrono::hours{1}}});
  REQUIRE(answer);
  CHECK(answer->code == Code::starting);
  CHECK_FALSE(answer->is_blocked);
}

}  // namespace lifecycle_before_scheduling_test
