#include "diagnose/lifecycle/event_trouble.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace lifecycle_event_trouble_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

/// An event of the pod, `second` seconds after the first; without a time where that is negative.
Event event(std::string type, std::string reason, std::string message, int second) {
  Event made{.ns = "ml", .type = std::move(type), .reason = std::move(reason)};
  made.message = std::move(message);
  made.kind = "Pod";
  made.object = "p";
  if (second >= 0) made.last = Time{std::chrono::seconds{1000 + second}};
  return made;
}

std::string told(std::vector<Event> events) {
  const Pod pod = make::running("p", "g1");
  Snapshot snapshot = make::cluster({make::node("g1", 8)}, {pod});
  snapshot.scheduling.events = std::move(events);
  const auto trouble = event_trouble(Cluster(snapshot), pod);
  return trouble ? trouble->summary : "";
}

const Event kHeld =
    event("Warning", "FailedAttachVolume", "Multi-Attach error for volume \"v\"", 1);
const Event kMount =
    event("Warning", "FailedMount", "MountVolume.SetUp failed for volume \"v\"", 2);

}  // namespace

TEST_CASE("trouble is over once something later has been done") {
  CHECK_THAT(told({kHeld}), Contains("Multi-Attach"));
  CHECK(
      told({kHeld, event("Normal", "SuccessfulAttachVolume", "attached volume \"v\"", 5)}).empty());
  CHECK(told({kMount, event("Normal", "Pulling", "Pulling image", 5)}).empty());
  CHECK(told({event("Warning", "FailedCreatePodSandBox", "no network", 3),
              event("Normal", "Pulled", "image there", 9)})
            .empty());
}

TEST_CASE("trouble is not over by what came before it, is another volume's, or of no time") {
  CHECK_FALSE(told({event("Normal", "Pulling", "Pulling image", 0), kHeld}).empty());
  CHECK_FALSE(
      told({kHeld, event("Normal", "SuccessfulAttachVolume", "attached volume \"w\"", 5)}).empty());
  // An attached volume is not mounted yet.
  CHECK_FALSE(told({kMount, event("Normal", "SuccessfulAttachVolume", "attached volume \"v\"", 5)})
                  .empty());
  CHECK_FALSE(told({kMount, event("Normal", "Pulling", "Pulling image", -1)}).empty());
  // A container is tried again after its image was found.
  CHECK_FALSE(told({event("Warning", "Failed", "Error: libcuda not found", 3),
                    event("Normal", "Pulled", "image there", 9)})
                  .empty());
}

TEST_CASE("a sandbox that cannot be created is told, whatever it lacks") {
  const std::string lead = "Failed to create pod sandbox: rpc error: code = Unknown desc = ";
  CHECK(told({event("Warning", "FailedCreatePodSandBox", lead + "failed to assign an IP address",
                    1)}) ==
        "the kubelet of g1 cannot create the pod's sandbox: failed to assign an IP address");
  CHECK_THAT(told({event("Warning", "FailedCreatePodSandBox",
                         lead + "no runtime for \"nvidia\" is configured", 1)}),
             Contains("its containers cannot start on g1"));
}

TEST_CASE("any other warning may be quoted, harmless ones are not") {
  const Pod pod = make::running("p", "g1");
  Snapshot snapshot = make::cluster({make::node("g1", 8)}, {pod});
  snapshot.scheduling.events = {event("Warning", "FailedSync", "unknown state", 3),
                                event("Warning", "DNSConfigForming", "too many lines", 5)};
  const Event* const found = newest_warning(Cluster(snapshot), pod);
  REQUIRE(found != nullptr);
  CHECK(found->reason == "FailedSync");
}

namespace {

constexpr const char* kUnregistered =
    "Failed to prepare dynamic resources: prepare dynamic resources: DRA driver gpu.nvidia.com is "
    "not registered";

/// What is told of a driver that is not registered on a node with this kubelet.
Trouble unregistered(const std::string& version, const std::vector<Pod>& drivers,
                     const std::string& message = kUnregistered) {
  const Pod pod = make::running("p", "g1");
  std::vector<Pod> pods = drivers;
  pods.push_back(pod);
  Snapshot snapshot = make::cluster({make::node("g1", 8)}, pods);
  snapshot.nodes[0].kubelet_version = version;
  snapshot.scheduling.events = {event("Warning", "FailedPrepareDynamicResources", message, 1)};
  const auto trouble = event_trouble(Cluster(snapshot), pod);
  REQUIRE(trouble);
  return *trouble;
}

Pod driver(const std::string& ready) {
  Pod pod = make::running("nvidia-dra-driver-gpu-kubelet-plugin-x", "g1");
  pod.owners = {{.kind = "DaemonSet", .name = "nvidia-dra-driver-gpu-kubelet-plugin"}};
  pod.conditions = {{.type = "Ready", .status = ready}};
  return pod;
}

}  // namespace

TEST_CASE("kubelets that lose DRA drivers are named, and the driver's pod is to be restarted") {
  const Trouble lost = unregistered("v1.34.1", {driver("True")});
  CHECK(lost.code == Code::starting);
  REQUIRE(lost.advice.size() == 2);
  CHECK_THAT(lost.advice[0].command, Contains("kubectl delete pod -n ml nvidia-dra-driver-gpu"));
  CHECK_THAT(lost.advice[1].summary, Contains("1.34.2 or newer"));
  CHECK(unregistered("v1.34.1+k3s1", {driver("True")}).advice.size() == 2);
  CHECK(unregistered("v1.34.2", {driver("True")}).advice.size() == 1);
}

TEST_CASE("a DRA driver that is not registered because its pod is not ready says so") {
  CHECK_THAT(unregistered("v1.34.1", {driver("False")}).summary,
             Contains("does not know the DRA driver gpu.nvidia.com: the DRA driver's pod") &&
                 Contains("is not ready"));
  const Trouble unseen = unregistered("v1.34.3", {});
  REQUIRE(unseen.advice.size() == 1);
  CHECK(unseen.advice[0].command ==
        "kubectl get pods -A -o wide --field-selector spec.nodeName=g1");
}

TEST_CASE("a volume that its old node does not let go for long is not waited for") {
  const auto advice = [](std::chrono::minutes waited) {
    const Pod pod = make::running("p", "g1");
    Snapshot snapshot = make::cluster({make::node("g1", 8)}, {pod});
    snapshot.scheduling.events = {kHeld};
    snapshot.taken_at = *kHeld.last + waited;
    return event_trouble(Cluster(snapshot), pod)->advice;
  };
  CHECK(advice(std::chrono::minutes{10}).size() == 1);
  const auto stuck = advice(std::chrono::minutes{11});
  REQUIRE(stuck.size() == 2);
  CHECK_THAT(stuck[0].summary, Contains("has not let it go for 11m"));
}

}  // namespace lifecycle_event_trouble_test
