#include "diagnose/lifecycle/own_rules.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace lifecycle_own_rules_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

constexpr Time kBegin{std::chrono::hours{1000}};

Pod of_scheduler(const std::string& name) {
  Pod made = make::waiting("p", 1);
  made.scheduler_name = name;
  return made;
}

Pod refused(const std::string& scheduler, const std::string& message, Time since) {
  Pod made = of_scheduler(scheduler);
  made.conditions.push_back({.type = "PodScheduled",
                             .status = "False",
                             .reason = "Unschedulable",
                             .message = message,
                             .last_transition = since});
  return made;
}

Event said(const Pod& pod, std::string reason, std::string message, Time last) {
  Event made{.ns = pod.ns, .type = "Warning", .reason = std::move(reason)};
  made.message = std::move(message);
  made.kind = "Pod";
  made.object = pod.name;
  made.reporter = pod.scheduler_name;
  made.last = last;
  made.count = 7;
  return made;
}

std::optional<SchedulerWord> word(const Pod& pod, std::vector<Event> events) {
  Snapshot snapshot = make::cluster({make::node("g1", 8)}, {pod});
  snapshot.scheduling.events = std::move(events);
  return own_word(scheduler::Cluster(snapshot), pod);
}

}  // namespace

TEST_CASE("of condition and events the newest is the word, whole and with its count") {
  const Pod pod = refused("kai-scheduler", "older words", kBegin);
  const auto newest = word(pod, {said(pod, "Unschedulable", "no nodes with enough resources.",
                                      kBegin + std::chrono::minutes{5})});
  REQUIRE(newest);
  CHECK(newest->message == "no nodes with enough resources.");
  CHECK(newest->time == kBegin + std::chrono::minutes{5});
  CHECK(newest->count == 7);
  CHECK(newest->by == "kai-scheduler");
  CHECK_FALSE(newest->agrees);
  const auto older =
      word(pod, {said(pod, "Unschedulable", "before", kBegin - std::chrono::minutes{5})});
  REQUIRE(older);
  CHECK(older->message == "older words");
}

TEST_CASE("an event of any reason counts, but for those of success and of other components") {
  const Pod pod = of_scheduler("yunikorn");
  CHECK(word(pod, {said(pod, "Scheduling", "queued", kBegin)}));
  CHECK_FALSE(word(pod, {said(pod, "PodBindSuccessful", "bound", kBegin)}));
  Event other = said(pod, "FailedScheduling", "no", kBegin);
  other.reporter = "karpenter";
  CHECK_FALSE(word(pod, {other}));
  const Pod of_kai = of_scheduler("kai-scheduler");
  Event grouper = said(of_kai, "PodGrouperWarning", "no queue", kBegin);
  grouper.reporter = "pod-grouper";
  CHECK(word(of_kai, {grouper}));
  CHECK_FALSE(word(pod, {grouper}));
}

TEST_CASE("words about the pod's group stand in where nothing is said of the pod") {
  Pod pod = of_scheduler("kai-scheduler");
  pod.annotations = {{"pod-group-name", "pg-1"}};
  Event group = said(pod, "NotReady", "Job is not ready for scheduling.", kBegin);
  group.kind = "PodGroup";
  group.object = "pg-1";
  const auto found = word(pod, {group});
  REQUIRE(found);
  CHECK(code_of_own_word(found->message) == Code::gang_waiting);
}

TEST_CASE("a scheduler of another name has own rules where its words are not kube-scheduler's") {
  CHECK_FALSE(word(refused("mine", "0/1 nodes are available: 1 Insufficient cpu.", kBegin), {}));
  CHECK(word(refused("mine", "tenant has no tokens", kBegin), {}));
  CHECK_FALSE(word(refused("default-scheduler", "tenant has no tokens", kBegin), {}));
}

TEST_CASE("a word comes to the one thing that it names") {
  CHECK(code_of_own_word("2 node(s) didn't have enough resources: GPUs.") ==
        Code::insufficient_gpus);
  CHECK(code_of_own_word("2 node(s) had untolerated taint(s). 5 node(s) didn't have enough "
                         "resources: GPUs.") == Code::not_modelled);
  CHECK(code_of_own_word("Non-preemptible workload is over quota.") == Code::held_by_queue);
  CHECK(code_of_own_word("something new") == Code::not_modelled);
}

TEST_CASE("the queue is named by what each scheduler reads") {
  Pod pod = of_scheduler("kai-scheduler");
  pod.labels = {{"kai.scheduler/queue", "team-a"}};
  CHECK(own_queue_text(pod) == "queue team-a (label kai.scheduler/queue)");
  CHECK(own_queue_command(pod) == "kubectl get queues.scheduling.run.ai team-a -o yaml");
  pod.scheduler_name = "yunikorn";
  CHECK(own_queue_text(pod).empty());
  pod.annotations = {{"yunikorn.apache.org/queue", "root.dev"}};
  CHECK(own_queue_text(pod) == "queue root.dev (annotation yunikorn.apache.org/queue)");
  CHECK(own_queue_command(pod).empty());
}

}  // namespace lifecycle_own_rules_test
