#include "diagnose/lifecycle/after_binding.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace lifecycle_after_binding_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

const Time kNow{std::chrono::seconds{1'000'000}};

Pod bound(std::chrono::minutes ago) {
  Pod pod = make::running("train-0", "g1", {}, 4);
  pod.phase = "Pending";
  pod.conditions = {{.type = "PodScheduled", .status = "True", .last_transition = kNow - ago}};
  return pod;
}

Node ready_node() {
  Node node = make::node("g1", 8);
  node.conditions = {{.type = "Ready", .status = "True"}};
  return node;
}

Explanation answer(const Node& node, const Pod& pod, std::vector<Event> events = {}) {
  Snapshot snapshot = make::cluster({node}, {pod});
  snapshot.scheduling.events = std::move(events);
  return after_binding(Cluster(snapshot), pod, {.now = kNow});
}

}  // namespace

TEST_CASE("a bound pod that has not started after five minutes is blocked") {
  CHECK_FALSE(answer(ready_node(), bound(std::chrono::minutes{5})).is_blocked);
  const Explanation silent = answer(ready_node(), bound(std::chrono::minutes{210}));
  CHECK(silent.is_blocked);
  CHECK(silent.code == Code::starting);
  CHECK(silent.summary ==
        "it was bound to g1 3h30m ago and has not started: the kubelet of g1 has said nothing of "
        "it");
  REQUIRE(silent.advice.size() == 1);
  CHECK(silent.advice.front().command == "kubectl describe pod train-0 -n ml");
}

TEST_CASE("what the kubelet says of a pod that does not start is quoted") {
  Pod pod = bound(std::chrono::hours{48});
  pod.container_statuses = {{.name = "main", .waiting = "ContainerCreating"}};
  CHECK(answer(ready_node(), pod).summary ==
        "it was bound to g1 2d ago and has not started: the kubelet of g1 says no more than "
        "ContainerCreating");
  pod.init_container_statuses = {{.name = "download"}};
  CHECK_FALSE(answer(ready_node(), pod).is_blocked);
}

TEST_CASE("a pod whose image is being pulled is blocked after a quarter of an hour only") {
  Event pulling{.ns = "ml", .type = "Normal", .reason = "Pulling", .kind = "Pod"};
  pulling.object = "train-0";
  pulling.object_uid = "uid-train-0";
  const auto pulled_for = [&](std::optional<std::chrono::minutes> time) {
    pulling.last = time ? std::optional(kNow - *time) : std::nullopt;
    return answer(ready_node(), bound(std::chrono::minutes{40}), {pulling});
  };
  const Explanation calm = pulled_for(std::chrono::minutes{15});
  CHECK_FALSE(calm.is_blocked);
  CHECK(calm.summary == "it starts on g1: its image is being pulled");
  CHECK_FALSE(pulled_for(std::nullopt).is_blocked);
  const Explanation slow = pulled_for(std::chrono::minutes{39});
  CHECK(slow.is_blocked);
  CHECK(slow.code == Code::image_pull);
  CHECK(slow.summary == "its image has been pulled on g1 for 39m, and is not there yet");
}

TEST_CASE("an init container that crashes again and again blocks its pod, one that runs does not") {
  Pod pod = bound(std::chrono::minutes{30});
  pod.container_statuses = {{.name = "main", .waiting = "PodInitializing"}};
  pod.init_container_statuses = {{.name = "dl", .waiting = "CrashLoopBackOff", .restarts = 6}};
  const Explanation it = answer(ready_node(), pod);
  CHECK(it.is_blocked);
  CHECK(it.summary ==
        "it holds its place on g1, but its container dl exits again and again (CrashLoopBackOff, 6 "
        "restarts)");
  CHECK(it.code == Code::crash_loop);
  CHECK(it.advice.front().command == "kubectl logs -n ml train-0 -c dl --previous");
  pod.init_container_statuses = {{.name = "dl", .restarts = 6}};
  CHECK_FALSE(answer(ready_node(), pod).is_blocked);
}

TEST_CASE("a pod that moved a moment ago is not blocked; one that stands still is") {
  Pod pod = bound(std::chrono::minutes{30});
  pod.container_statuses = {{.name = "main", .waiting = "PodInitializing"}};
  pod.init_container_statuses = {{.name = "dl", .terminated = "Completed"}};
  CHECK_FALSE(answer(ready_node(), pod).is_blocked);  // when it ended is not known
  pod.conditions.push_back(
      {.type = "Initialized", .status = "True", .last_transition = kNow - std::chrono::minutes{1}});
  CHECK_FALSE(answer(ready_node(), pod).is_blocked);
  pod.conditions.back().last_transition = kNow - std::chrono::minutes{20};
  CHECK(answer(ready_node(), pod).is_blocked);
}

TEST_CASE("the newest warning is quoted before the kubelet's silence") {
  Event warning{.ns = "ml", .type = "Warning", .reason = "FailedSync", .kind = "Pod"};
  warning.object = "train-0";
  warning.message = "error determining status";
  CHECK(answer(ready_node(), bound(std::chrono::minutes{30}), {warning}).summary ==
        "it was bound to g1 30m ago and has not started: its newest warning is FailedSync: error "
        "determining status");
}

TEST_CASE("a pod on a node that is not ready or gone is blocked by that") {
  Node node = make::node("g1", 8);
  node.conditions = {
      {.type = "Ready", .status = "Unknown", .last_transition = kNow - std::chrono::minutes{60}}};
  const Explanation ill = answer(node, bound(std::chrono::minutes{30}));
  CHECK(ill.code == Code::node_not_ready);
  CHECK(ill.summary ==
        "it was bound to g1 30m ago and has not started, and that node has not been ready for 60m");
  CHECK(ill.advice.front().command == "kubectl describe node g1");

  const Explanation gone = answer(make::node("g2", 8), bound(std::chrono::minutes{30}));
  CHECK(gone.code == Code::node_not_ready);
  CHECK(gone.summary == "it was bound to g1 30m ago, and the cluster has no such node");
}

TEST_CASE("only a pod with an owner is created again once it is deleted") {
  Pod pod = bound(std::chrono::minutes{1});
  pod.phase = "Failed";
  pod.reason = "OutOfnvidia.com/gpu";
  CHECK(answer(ready_node(), pod).advice.back().summary.find("no owner") != std::string::npos);
  pod.owners = {{.kind = "Job", .name = "train", .uid = "uid-train", .controller = true}};
  CHECK(answer(ready_node(), pod).advice.back().summary.find("its owner creates another") !=
        std::string::npos);
}

TEST_CASE("a pod that runs by its phase is blocked where a container of it does not work") {
  Pod pod = bound(std::chrono::hours{1});
  pod.phase = "Running";
  pod.container_statuses = {{.name = "main", .waiting = "CrashLoopBackOff", .restarts = 9}};
  const Explanation it = answer(ready_node(), pod);
  CHECK(it.is_blocked);
  CHECK(it.code == Code::crash_loop);
  CHECK(it.nearest == "bound to g1");
  pod.container_statuses = {{.name = "main", .restarts = 9, .running_since = kNow}};
  CHECK_FALSE(answer(ready_node(), pod).is_blocked);
}

TEST_CASE("a failed pod is blocked where its container never started, and is to be created anew") {
  Pod pod = bound(std::chrono::minutes{1});
  pod.phase = "Failed";
  pod.container_statuses = {{.name = "main",
                             .terminated = "StartError",
                             .terminated_message = "exec: \"train\": permission denied"}};
  const Explanation it = answer(ready_node(), pod);
  CHECK(it.is_blocked);
  CHECK(it.code == Code::start_error);
  REQUIRE(it.advice.size() == 2);
  CHECK(it.advice.back().command == "kubectl delete pod train-0 -n ml");
  pod.container_statuses = {{.name = "main", .terminated = "Error"}};
  CHECK_FALSE(answer(ready_node(), pod).is_blocked);
}

}  // namespace lifecycle_after_binding_test
