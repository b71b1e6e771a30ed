#include "diagnose/lifecycle/container_trouble.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace lifecycle_container_trouble_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

Pod with(ContainerResourceStatus status, std::string phase = "Running") {
  Pod pod = make::running("train-0", "g1", {}, 4);
  pod.phase = std::move(phase);
  status.name = "main";
  pod.container_statuses = {std::move(status)};
  return pod;
}

std::optional<Trouble> trouble_of(const Pod& pod, std::vector<Event> events = {}) {
  Snapshot snapshot = make::cluster({make::node("g1", 8)}, {pod});
  snapshot.scheduling.events = std::move(events);
  const Cluster cluster(snapshot);
  const auto found = container_trouble(cluster, pod);
  CHECK(found.has_value() == has_container_trouble(pod));
  return found;
}

Trouble only(const Pod& pod, std::vector<Event> events = {}) {
  const auto found = trouble_of(pod, std::move(events));
  REQUIRE(found);
  return *found;
}

}  // namespace

TEST_CASE("a container that runs, starts, or has done its work is no trouble") {
  CHECK_FALSE(trouble_of(with({.running_since = Time{}})));
  CHECK_FALSE(trouble_of(with({.waiting = "ContainerCreating"}, "Pending")));
  CHECK_FALSE(trouble_of(with({.waiting = "PodInitializing"}, "Pending")));
  CHECK_FALSE(trouble_of(with({.terminated = "Completed"}, "Succeeded")));
  CHECK_FALSE(trouble_of(with({.terminated = "Error"}, "Failed")));
  CHECK_FALSE(trouble_of(with({.waiting = "ContainerCreating"})));
}

TEST_CASE("a container that could not be started is found between two tries, too") {
  // As its pod is for good where another container of it runs.
  CHECK(only(with({.terminated = "StartError"})).code == Code::start_error);
  CHECK(only(with({.terminated = "StartError"}, "Pending")).code == Code::start_error);
}

TEST_CASE("a reason that is not known is no work") {
  const Trouble trouble = only(with({.waiting = "SomethingNew", .waiting_message = "no luck"}));
  CHECK(trouble.code == Code::start_error);
  CHECK(trouble.summary.find("no luck") != std::string::npos);
}

TEST_CASE("each state in which a container does not work has its code") {
  const auto code_of = [](std::string waiting) {
    return only(with({.waiting = std::move(waiting)}, "Pending")).code;
  };
  for (const char* const image :
       {"ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull",
        "RegistryUnavailable", "ImageInspectError", "SignatureValidationFailed"})
    CHECK(code_of(image) == Code::image_pull);
  for (const char* const creation : {"CreateContainerError", "CreateContainerConfigError",
                                     "PreCreateHookError", "PreStartHookError"})
    CHECK(code_of(creation) == Code::start_error);
  for (const char* const start : {"RunContainerError", "PostStartHookError"})
    CHECK(code_of(start) == Code::start_error);
  CHECK(code_of("CrashLoopBackOff") == Code::crash_loop);
}

TEST_CASE("a container that backs off because it could not start has not crashed") {
  const Trouble it = only(with({.waiting = "CrashLoopBackOff",
                                .waiting_message = "back-off 5m0s restarting failed container",
                                .terminated = "StartError",
                                .terminated_message = "exec: \"train\": executable file not found",
                                .restarts = 7}));
  CHECK(it.code == Code::start_error);
  CHECK(it.summary ==
        "container main cannot start on g1: exec: \"train\": executable file not found");
}

TEST_CASE("where the status has no words, those of an event stand, else the reason alone") {
  const Pod pod = with({.waiting = "CrashLoopBackOff", .terminated = "StartError"});
  Event failed{.ns = "ml", .type = "Warning", .reason = "Failed", .kind = "Pod"};
  failed.object = "train-0";
  failed.message = "Error: failed to create containerd task: exec format error";
  CHECK(only(pod, {failed}).summary == "container main cannot start on g1: exec format error");
  CHECK(only(pod).summary == "container main cannot start on g1: CrashLoopBackOff");
}

TEST_CASE("a container whose Secret is missing starts by itself once there is one") {
  const Trouble it = only(with(
      {.waiting = "CreateContainerConfigError", .waiting_message = "secret \"hf-token\" not found"},
      "Pending"));
  CHECK(it.summary == "container main cannot be created: secret \"hf-token\" not found");
  REQUIRE(it.advice.size() == 1);
  CHECK(it.advice.front().summary.starts_with("create what is not found"));
  CHECK(it.advice.front().command == "kubectl describe pod train-0 -n ml");
}

TEST_CASE("what used too much memory needs more of it, all else a look at its log") {
  const Trouble full = only(with({.waiting = "CrashLoopBackOff", .terminated = "OOMKilled"}));
  CHECK(full.summary.find("0 restarts, last with OOMKilled") != std::string::npos);
  CHECK(full.advice.front().summary.find("resources.limits.memory") != std::string::npos);
  const Trouble crash = only(with({.waiting = "CrashLoopBackOff", .terminated = "Error"}));
  CHECK(crash.advice.front().command == "kubectl logs -n ml train-0 -c main --previous");
}

TEST_CASE("init containers come first") {
  Pod pod = with({.waiting = "PodInitializing"}, "Pending");
  pod.init_container_statuses = {{.name = "fetch", .waiting = "CrashLoopBackOff"}};
  CHECK(only(pod).summary.find("container fetch") != std::string::npos);
}

}  // namespace lifecycle_container_trouble_test
