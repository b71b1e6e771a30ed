#include "schedule/before_scheduling.hpp"

#include <catch2/catch.hpp>

#include "judge_make.hpp"

using namespace gpu;
using namespace gpu::schedule;

namespace {

/// The reason that a FailedCreate event of Job `train` stands for.
std::optional<Code> code_for(const std::string& message, const std::string& object = "train",
                             const std::string& reason = "FailedCreate") {
  Snapshot snapshot = make::cluster({});
  snapshot.scheduling.events = {{.ns = "ml",
                                 .type = "Warning",
                                 .reason = reason,
                                 .message = message,
                                 .kind = "Job",
                                 .object = object}};
  const Owner owner{.kind = "Job", .name = "train", .uid = {}, .api_version = {}};
  const auto answer = never_created(Cluster(snapshot), "ml", owner, {});
  return answer ? std::optional(answer->code) : std::nullopt;
}

}  // namespace

TEST_CASE("why no pod was made is told by FailedCreate's message") {
  CHECK(code_for(
            "pods \"x\" is forbidden: exceeded quota: q, requested: requests.nvidia.com/gpu=1") ==
        Code::quota_exceeded);
  CHECK(code_for("failed quota: q: must specify cpu,memory") == Code::quota_needs_requests);
  CHECK(code_for("maximum memory usage per Container is 64Gi, but limit is 256Gi") ==
        Code::limit_range);
  CHECK(code_for("minimum cpu usage per Pod is 1, but request is 500m") == Code::limit_range);
  CHECK(code_for("pod rejected: RuntimeClass \"nvidia\" not found") == Code::admission_rejected);
}

TEST_CASE("events of other objects and of other reasons say nothing of it") {
  CHECK_FALSE(code_for("exceeded quota: q", "train-2"));
  CHECK_FALSE(code_for("exceeded quota: q", "train", "SuccessfulCreate"));
}

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
  snapshot.scheduling.leases = {"other"};
  CHECK_FALSE(before_scheduling(Cluster(snapshot), pod, {}));
}
