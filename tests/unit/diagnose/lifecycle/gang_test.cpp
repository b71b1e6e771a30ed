#include "diagnose/lifecycle/gang.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace lifecycle_gang_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

Event warning(std::string group, std::string message) {
  Event made{.ns = "ml", .type = "Warning", .reason = "Unschedulable"};
  made.message = std::move(message);
  made.kind = "PodGroup";
  made.object = std::move(group);
  return made;
}

/// What is said of the pod where this was said of a group; empty if nothing is.
std::string summary(const Pod& pod, std::vector<Event> events) {
  Snapshot snapshot = make::cluster({make::node("g1", 8)}, {pod});
  snapshot.scheduling.events = std::move(events);
  Explanation answer;
  const bool is_gang = explain_gang(answer, scheduler::Cluster(snapshot), pod);
  CHECK(is_gang == !answer.summary.empty());
  if (is_gang) CHECK(answer.code == Code::gang_waiting);
  return answer.summary;
}

Pod refused(const std::string& message) {
  Pod made = make::waiting("p");
  made.conditions.push_back({.type = "PodScheduled", .status = "False", .message = message});
  return made;
}

const std::string kFew = "2/4 tasks in gang unschedulable";

}  // namespace

TEST_CASE("a pod without an owner has the group that Volcano names for its UID") {
  const Pod pod = make::waiting("p");
  CHECK(summary(pod, {warning("podgroup-uid-p", kFew)}) ==
        "its group of pods does not start yet: 2/4 tasks in gang unschedulable");
  CHECK(summary(pod, {warning("podgroup-uid-other", kFew)}).empty());
}

TEST_CASE("a pod with an owner has the group that is named for the owner") {
  Pod pod = make::waiting("p");
  pod.owners = {{.kind = "Job", .name = "train", .uid = "u1", .controller = true}};
  for (const std::string group : {"train", "train-u1", "podgroup-u1"})
    CHECK_FALSE(summary(pod, {warning(group, kFew)}).empty());
  CHECK(summary(pod, {warning("podgroup-uid-p", kFew)}).empty());
}

TEST_CASE("the scheduler's words about the pod count before those about its group") {
  Pod pod = refused("pod group is not ready, 2 of 4 pods.");
  pod.pod_group = "train";
  CHECK(summary(pod, {warning("train", kFew)}) ==
        "its pod group train does not start yet: pod group is not ready, 2 of 4 pods");
}

TEST_CASE("a pod that was refused for something else waits for no group") {
  CHECK(summary(refused("0/1 nodes are available"), {warning("podgroup-uid-p", kFew)}).empty());
  CHECK(summary(make::waiting("p"), {}).empty());
}

TEST_CASE("Volcano's queue is said to keep the group out") {
  CHECK(summary(make::waiting("p"),
                {warning("podgroup-uid-p", "queue resource quota insufficient: cpu.")}) ==
        "Volcano's queue does not let its PodGroup podgroup-uid-p in: queue resource quota "
        "insufficient: cpu");
}

}  // namespace lifecycle_gang_test
