#include "diagnose/owners/refused_owners.hpp"
#include "diagnose/explain/explain.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace owners_refused_owners_test {

using namespace gpu;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

const Time kNow{std::chrono::seconds{1'000'000}};

Event creation(std::string reason, std::chrono::minutes ago, std::string kind = "Job",
               std::string object = "train", std::string uid = "uid-train") {
  Event event{.ns = "ml",
              .type = reason == "FailedCreate" ? "Warning" : "Normal",
              .reason = std::move(reason),
              .kind = std::move(kind),
              .object = std::move(object),
              .object_uid = std::move(uid),
              .first = kNow - ago,
              .last = kNow - ago};
  event.message =
      "Error creating: pods \"x\" is forbidden: exceeded quota: gpus, requested: "
      "requests.nvidia.com/gpu=1, used: requests.nvidia.com/gpu=8, limited: "
      "requests.nvidia.com/gpu=8";
  return event;
}

std::vector<Explanation> refused(const Snapshot& snapshot, std::string_view ns = "") {
  return explain_all(Cluster(snapshot), ns, {.now = kNow});
}

}  // namespace

TEST_CASE("an owner whose pods are all refused is listed as Kueue's held ones are") {
  Snapshot snapshot = make::cluster({make::node("g1", 8)});
  snapshot.scheduling.events = {creation("FailedCreate", std::chrono::minutes{5})};
  const auto answers = refused(snapshot);
  REQUIRE(answers.size() == 1);
  CHECK(answers.front().kind == "Job");
  CHECK(answers.front().name == "train");
  CHECK(answers.front().code == Code::quota_exceeded);
  CHECK(answers.front().nearest == "no pod was created, by its events");
  CHECK_FALSE(answers.front().gpus);  // not read: unknown, not none
  CHECK(refused(snapshot, "ml").size() == 1);
  CHECK(refused(snapshot, "other").empty());
}

TEST_CASE("an owner that made a pod since is not listed") {
  Snapshot snapshot = make::cluster({make::node("g1", 8)});
  snapshot.scheduling.events = {creation("FailedCreate", std::chrono::minutes{5}),
                                creation("SuccessfulCreate", std::chrono::minutes{4})};
  CHECK(refused(snapshot).empty());
  snapshot.scheduling.events.back().last = kNow - std::chrono::minutes{6};
  CHECK(refused(snapshot).size() == 1);
}

TEST_CASE("a ReplicaSet that is refused stands for its Deployment") {
  Snapshot snapshot = make::cluster({make::node("g1", 8)});
  snapshot.controllers["uid-web-5d4f"] =
      OwnerReference{.kind = "Deployment", .name = "web", .uid = "uid-web", .controller = true};
  snapshot.scheduling.events = {
      creation("FailedCreate", std::chrono::minutes{5}, "ReplicaSet", "web-5d4f", "uid-web-5d4f")};
  const auto answers = refused(snapshot);
  REQUIRE(answers.size() == 1);
  CHECK(answers.front().kind == "Deployment");
  CHECK(answers.front().name == "web");
}

TEST_CASE("an event without a UID is told by the object of that name, with what it asks for") {
  Snapshot snapshot = make::cluster({make::node("g1", 8)});
  snapshot.controllers["uid-web-5d4f"] =
      OwnerReference{.kind = "Deployment", .name = "web", .uid = "uid-web", .controller = true};
  WorkloadObject set{.kind = "ReplicaSet",
                     .api_version = "apps/v1",
                     .ns = "ml",
                     .name = "web-5d4f",
                     .uid = "uid-web-5d4f"};
  WorkloadObject web{
      .kind = "Deployment", .api_version = "apps/v1", .ns = "ml", .name = "web", .uid = "uid-web"};
  web.wanted = 3;
  web.pod = make::waiting("web", 2);
  snapshot.scheduling.workload_objects = {web, set};
  snapshot.scheduling.events = {
      creation("FailedCreate", std::chrono::minutes{5}, "ReplicaSet", "web-5d4f", "")};
  const auto answers = refused(snapshot);
  REQUIRE(answers.size() == 1);
  CHECK(answers.front().kind == "Deployment");
  CHECK(answers.front().name == "web");
  CHECK(answers.front().gpus == 6);
  snapshot.scheduling.workload_objects = {web};
  Pod made = make::running("web-5d4f-a", "g1");
  made.owners = {
      {.kind = "ReplicaSet", .name = "web-5d4f", .uid = "uid-web-5d4f", .controller = true}};
  snapshot.pods = {made};
  REQUIRE(refused(snapshot).size() == 1);
  CHECK(refused(snapshot).front().name == "web");
  CHECK(refused(snapshot).front().gpus == 4);  // one of three is there
}

TEST_CASE("an owner that has all its pods, or was made anew, is not listed") {
  Pod pod = make::running("train-0", "g1");
  pod.phase = "Running";
  pod.owners = {{.kind = "Job", .name = "train", .uid = "uid-train", .controller = true}};
  Snapshot snapshot = make::cluster({make::node("g1", 8)}, {pod});
  snapshot.scheduling.events = {creation("FailedCreate", std::chrono::minutes{5})};
  WorkloadObject job{.kind = "Job",
                     .api_version = "batch/v1",
                     .ns = "ml",
                     .name = "train",
                     .uid = "uid-train",
                     .wanted = 1};
  snapshot.scheduling.workload_objects = {job};
  CHECK(refused(snapshot).empty());
  snapshot.pods.clear();
  CHECK(refused(snapshot).front().nearest == "no pod was created");
  snapshot.scheduling.workload_objects.front().uid = "uid-other";
  CHECK(refused(snapshot).empty());
}

}  // namespace owners_refused_owners_test
