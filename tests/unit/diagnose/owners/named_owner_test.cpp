#include "diagnose/owners/named_owner.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace owners_named_owner_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

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
  const auto answer = missing_pods(Cluster(snapshot), "ml", owner, {});
  return answer ? std::optional(answer->code) : std::nullopt;
}

}  // namespace

TEST_CASE("why no pod was created is told by FailedCreate's message") {
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

namespace {

constexpr Time kNow{std::chrono::seconds{100000}};

WorkloadObject job() {
  WorkloadObject made{.kind = "Job", .api_version = "batch/v1", .ns = "ml", .name = "train"};
  made.uid = "uid-train";
  made.created = kNow - std::chrono::minutes{10};
  made.wanted = 2;
  made.pod = make::waiting("", 4);
  return made;
}

WorkloadObject deployment() {
  WorkloadObject made = job();
  made.kind = "Deployment";
  made.api_version = "apps/v1";
  return made;
}

Snapshot with(const WorkloadObject& object, const std::vector<Pod>& pods = {}) {
  Snapshot snapshot = make::cluster({make::node("a", 8)}, pods);
  snapshot.scheduling.workload_objects = {object};
  snapshot.scheduling.coverages["workloads"] = Coverage::whole;
  return snapshot;
}

Pod pod_of(const WorkloadObject& object, const std::string& name = "train-0") {
  Pod pod = make::waiting(name, 4);
  pod.owners = {{.kind = object.kind,
                 .name = object.name,
                 .uid = object.uid,
                 .api_version = object.api_version,
                 .controller = true}};
  return pod;
}

std::optional<Explanation> told(const Snapshot& snapshot) {
  const WorkloadObject& object = snapshot.scheduling.workload_objects.at(0);
  const Owner owner{
      .kind = object.kind, .name = object.name, .uid = {}, .api_version = object.api_version};
  return missing_pods(Cluster(snapshot), "ml", owner, {.now = kNow});
}

Event failed_create(const std::string& message) {
  return {.ns = "ml",
          .type = "Warning",
          .reason = "FailedCreate",
          .message = message,
          .kind = "Job",
          .object = "train"};
}

}  // namespace

TEST_CASE("a suspended Job says so without its events, and how to resume it") {
  WorkloadObject object = job();
  object.is_suspended = true;
  const auto answer = told(with(object));
  REQUIRE(answer);
  CHECK(answer->is_blocked);
  CHECK(answer->code == Code::held_by_queue);
  CHECK(answer->summary == "the Job is suspended (spec.suspend: true)");
  CHECK(answer->waiting == std::chrono::minutes{10});
  CHECK(answer->gpus == 8);
  REQUIRE(answer->advice.size() == 1);
  CHECK(answer->advice[0].command ==
        R"(kubectl patch job train -n ml --type merge -p '{"spec":{"suspend":false}}')");
  REQUIRE(answer->remarks.size() == 2);
  CHECK_THAT(answer->remarks[0].text,
             Contains("2 pods remain to be created, and each requests 4 nvidia.com/gpu"));
  CHECK_THAT(answer->remarks[1].text, Contains("one made now would fit on 1 node"));
}

TEST_CASE("a suspended Job of a queue is Kueue's to resume") {
  WorkloadObject object = job();
  object.is_suspended = true;
  object.labels.set("kueue.x-k8s.io/queue-name", "gpu");
  Snapshot snapshot = with(object);
  const auto answer = told(snapshot);
  REQUIRE(answer);
  CHECK(answer->summary ==
        "the Job is suspended for Kueue's queue gpu, and Kueue has made no Workload for it");
  for (const Advice& each : answer->advice) CHECK_THAT(each.command, !Contains("suspend"));
  snapshot.scheduling.coverages["workloads"] = Coverage::none;
  CHECK(told(snapshot)->summary == "the Job is suspended for Kueue's queue gpu");
  CHECK_THAT(told(snapshot)->not_checked.at(0), Contains("Workloads"));
}

TEST_CASE("a training job of Kubeflow is resumed where it is suspended") {
  WorkloadObject object = job();
  object.kind = "PyTorchJob";
  object.api_version = "kubeflow.org/v1";
  object.is_suspended = true;
  CHECK_THAT(told(with(object))->advice.at(0).command,
             Contains("kubectl patch pytorchjobs.kubeflow.org train") &&
                 Contains(R"({"spec":{"runPolicy":{"suspend":false}}})"));
}

TEST_CASE("a Deployment keeps the API server's refusal in a condition") {
  WorkloadObject object = deployment();
  object.conditions = {{.type = "ReplicaFailure",
                        .status = "True",
                        .reason = "FailedCreate",
                        .message = "pods \"x\" is forbidden: exceeded quota: gpus, requested: 1"}};
  object.conditions[0].last_transition = kNow - std::chrono::hours{5};
  const auto answer = told(with(object));
  REQUIRE(answer);
  CHECK(answer->code == Code::quota_exceeded);
  CHECK(answer->waiting == std::chrono::hours{5});
  const std::vector<Pod> all = {pod_of(object, "a"), pod_of(object, "b")};
  CHECK_FALSE(told(with(object, all)));
  CHECK(told(with(object, {all[0]})));
}

TEST_CASE("an old refusal is forgotten once the pods are there") {
  Snapshot snapshot = with(job());
  snapshot.scheduling.events = {failed_create("exceeded quota: gpus")};
  CHECK(told(snapshot)->code == Code::quota_exceeded);
  snapshot.pods = {pod_of(job(), "a"), pod_of(job(), "b")};
  CHECK_FALSE(told(snapshot));
}

TEST_CASE("one that wants no pods, or is over, does not wait") {
  WorkloadObject none = deployment();
  none.wanted = 0;
  auto answer = told(with(none));
  REQUIRE(answer);
  CHECK_FALSE(answer->is_blocked);
  CHECK(answer->summary == "it requests no pods (spec.replicas: 0)");
  WorkloadObject over = job();
  over.conditions = {{.type = "Complete", .status = "True"}};
  CHECK(told(with(over))->summary == "it has finished");
  over.conditions = {{.type = "Failed", .status = "True", .message = "backoff limit"}};
  answer = told(with(over));
  CHECK(answer->summary == "it has failed: backoff limit");
  CHECK_FALSE(answer->is_blocked);
  // A Deployment does not end, whatever a condition is called.
  WorkloadObject service = deployment();
  service.conditions = {{.type = "Complete", .status = "True"}};
  CHECK(told(with(service))->is_blocked);
}

TEST_CASE("one without pods of which nothing says why is told from one that is new") {
  const auto old = told(with(job()));
  REQUIRE(old);
  CHECK(old->code == Code::not_modelled);
  CHECK(old->summary == "the Job has no pods, and nothing says why");
  CHECK_THAT(old->advice.at(0).command, Contains("kubectl describe job train -n ml"));
  WorkloadObject fresh = job();
  fresh.created = kNow - std::chrono::seconds{5};
  CHECK_FALSE(told(with(fresh))->is_blocked);
  CHECK_FALSE(told(with(job(), {pod_of(job())})));
  WorkloadObject timed = job();
  timed.kind = "CronJob";
  CHECK_FALSE(told(with(timed))->is_blocked);
}

TEST_CASE("what its pods would wait for is said") {
  WorkloadObject object = job();
  object.is_suspended = true;
  object.pod = make::waiting("", 9);
  const auto answer = told(with(object));
  REQUIRE(answer->remarks.size() == 2);
  CHECK_THAT(answer->remarks[1].text,
             Contains("one made now would wait: ") && Contains("(request-exceeds"));
}

TEST_CASE("pods are an owner's through all that stands between, and not by a name alone") {
  Pod pod = make::waiting("web-5d-x", 1);
  pod.owners = {{.kind = "ReplicaSet",
                 .name = "web-5d",
                 .uid = "rs",
                 .api_version = "apps/v1",
                 .controller = true}};
  Snapshot snapshot = make::cluster({}, {pod});
  snapshot.controllers["rs"] = OwnerReference{.kind = "Deployment",
                                              .name = "web",
                                              .uid = "d",
                                              .api_version = "apps/v1",
                                              .controller = true};
  snapshot.controllers["d"] = OwnerReference{.kind = "InferenceService",
                                             .name = "svc",
                                             .uid = "i",
                                             .api_version = "serving.kserve.io/v1beta1",
                                             .controller = true};
  const auto is_of = [&](const Owner& owner) { return is_made_by(pod, "ml", owner, snapshot); };
  CHECK(is_of({.kind = "ReplicaSet", .name = "web-5d", .uid = {}, .api_version = "apps/v1"}));
  CHECK(is_of({.kind = "Deployment", .name = "web", .uid = {}, .api_version = "apps/v1"}));
  CHECK(is_of({.kind = "InferenceService",
               .name = "svc",
               .uid = {},
               .api_version = "serving.kserve.io/v1beta1"}));
  CHECK_FALSE(is_of({.kind = "Deployment", .name = "web", .uid = "d2", .api_version = "apps/v1"}));
  CHECK_FALSE(is_of({.kind = "Job", .name = "web", .uid = {}, .api_version = "batch/v1"}));
  CHECK_FALSE(is_made_by(pod, "other",
                         {.kind = "Deployment", .name = "web", .uid = {}, .api_version = "apps/v1"},
                         snapshot));
}

TEST_CASE("a refusal belongs to the Deployment whose ReplicaSet it names") {
  Snapshot snapshot = with(deployment());
  Event event = failed_create("exceeded quota: gpus");
  event.kind = "ReplicaSet";
  event.object = "train-big-5d4f";
  snapshot.scheduling.events = {event};
  CHECK(told(snapshot)->code == Code::not_modelled);
  snapshot.scheduling.events[0].object = "train-5d4f";
  CHECK(told(snapshot)->code == Code::quota_exceeded);
}

TEST_CASE("a paused Deployment without pods says so, and how to resume it") {
  WorkloadObject object = deployment();
  object.conditions = {{.type = "Paused", .status = "True"}};
  const auto answered = told(with(object));
  REQUIRE(answered);
  CHECK(answered->code == Code::held_by_queue);
  CHECK_THAT(answered->summary, Contains("is paused (spec.paused: true)"));
  CHECK(answered->advice.at(0).command == "kubectl rollout resume deployment train -n ml");
}

}  // namespace owners_named_owner_test
