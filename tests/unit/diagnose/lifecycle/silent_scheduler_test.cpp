#include <catch2/catch.hpp>

#include "diagnose/explain/explain.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace lifecycle_silent_scheduler_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

const Time kNow{std::chrono::seconds{1'000'000}};

/// Waits for six hours, without a word of its scheduler.
Pod silent() {
  Pod pod = make::waiting("w-0", 1);
  pod.created = kNow - std::chrono::hours{6};
  return pod;
}

Explanation answer(const Pod& pod, const std::vector<Pod>& others = {},
                   std::optional<Time> now = kNow) {
  std::vector<Pod> pods = others;
  pods.push_back(pod);
  Snapshot snapshot = make::cluster({make::node("a", 8)}, pods);
  snapshot.scheduling.leases = {"other"};
  return explain(Cluster(snapshot), pod, {.now = now});
}

Pod bound_at(Time when) {
  Pod pod = make::running("x", "a");
  pod.scheduler_name = "default-scheduler";
  pod.conditions = {{.type = "PodScheduled", .status = "True", .last_transition = when}};
  return pod;
}

}  // namespace

TEST_CASE("a pod that fits and that its scheduler never looked at is blocked by that") {
  const Explanation it = answer(silent());
  CHECK(it.is_blocked);
  CHECK(it.code == Code::unknown_scheduler);
  CHECK(it.summary ==
        "default-scheduler has said nothing of it for 6h: it does not run, or does not keep up");
  REQUIRE(it.advice.size() == 1);
  CHECK_THAT(it.advice.front().command, Contains("kubectl get lease kube-scheduler"));
  CHECK(it.remarks.front().text == "nothing else keeps it waiting now: it fits on a");
  CHECK(it.not_checked.size() == 1);
}

TEST_CASE("a pod that is new, that was answered, or whose age is unknown is not") {
  Pod fresh = silent();
  fresh.created = kNow - std::chrono::minutes{5};
  CHECK_FALSE(answer(fresh).is_blocked);
  CHECK_FALSE(answer(silent(), {}, std::nullopt).is_blocked);
  Pod ageless = silent();
  ageless.created.reset();
  CHECK_FALSE(answer(ageless).is_blocked);
  Pod gated = silent();
  gated.conditions = {{.type = "PodScheduled", .status = "False", .reason = "SchedulingGated"}};
  CHECK_FALSE(answer(gated).is_blocked);
}

TEST_CASE("a scheduler that bound others since runs, and does not keep up") {
  CHECK_THAT(answer(silent(), {bound_at(kNow - std::chrono::minutes{2})}).summary,
             Contains("has bound other pods since: it does not keep up"));
  CHECK_THAT(answer(silent(), {bound_at(kNow - std::chrono::hours{1})}).summary,
             Contains("since, the last 60m ago: it does not keep up, or has stopped"));
  CHECK_THAT(answer(silent(), {bound_at(kNow - std::chrono::hours{7})}).summary,
             Contains("it does not run, or does not keep up"));
  // A kubelet writes that condition of its own pods.
  Pod own = bound_at(kNow - std::chrono::minutes{2});
  own.owners = {{.kind = "Node", .name = "a", .uid = {}, .api_version = {}, .controller = true}};
  CHECK_THAT(answer(silent(), {own}).summary, Contains("it does not run, or does not keep up"));
}

TEST_CASE("another scheduler may have reasons of its own") {
  Pod pod = silent();
  pod.scheduler_name = "other";
  CHECK(answer(pod).summary ==
        "other has said nothing of it for 6h: it does not run, does not keep up, or holds the pod "
        "back by rules of its own");
}

TEST_CASE("a scheduler's own pod that crashes is named") {
  Pod crashed = make::running("kube-scheduler-cp-1", "a", {{"component", "kube-scheduler"}});
  crashed.ns = "kube-system";
  crashed.container_statuses = {
      {.name = "kube-scheduler", .waiting = "CrashLoopBackOff", .restarts = 55}};
  const Explanation it = answer(silent(), {crashed});
  CHECK(it.remarks.back().text ==
        "kube-system/kube-scheduler-cp-1 does not run (CrashLoopBackOff, 55 restarts)");
  CHECK(it.advice.front().command == "kubectl logs -n kube-system kube-scheduler-cp-1 --previous");
  CHECK(it.not_checked.empty());
  const auto state = [&](std::int64_t restarts) {
    crashed.container_statuses[0].restarts = restarts;
    return answer(silent(), {crashed}).remarks.back().text;
  };
  CHECK_THAT(state(1), Contains("(CrashLoopBackOff, 1 restart)"));
  CHECK_THAT(state(0), Contains("(CrashLoopBackOff)"));
}

}  // namespace lifecycle_silent_scheduler_test
