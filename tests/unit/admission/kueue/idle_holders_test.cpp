#include "admission/kueue/idle_holders.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace gpu::admission::kueue_idle_holders_test {
namespace {

const Time kNow{std::chrono::hours{1000}};

QueuedWorkload holder(const std::string& name, std::int64_t gpus, std::chrono::minutes admitted) {
  QueuedWorkload made{.ns = "ml", .name = "rayjob-" + name};
  made.owners = {{.kind = "RayJob", .name = name, .uid = "uid-" + name}};
  made.cluster_queue = "cq";
  made.pod_sets = {{"main", 1, {{"nvidia.com/gpu", Quantity::of(gpus)}}}};
  made.conditions = {{.type = "QuotaReserved", .status = "True"},
                     {.type = "Admitted", .status = "True", .last_transition = kNow - admitted}};
  return made;
}

/// A queue of 24 GPUs, of which 18 are reserved, and what `waiting` for so many is told.
std::optional<IdleHolders> asked(std::int64_t gpus, std::vector<QueuedWorkload> holders,
                                 const std::vector<Pod>& pods = {}, bool has_two_flavors = false) {
  Snapshot snapshot = make::cluster({make::node("a", 8)}, pods);
  snapshot.taken_at = kNow;
  ClusterQueue queue{.name = "cq"};
  queue.quotas = {{.flavor = "a",
                   .resource = "nvidia.com/gpu",
                   .nominal = Quantity::of(24),
                   .reserved = Quantity::of(18)}};
  if (has_two_flavors) {
    queue.quotas.push_back(queue.quotas.front());
    queue.quotas.back().flavor = "b";
  }
  snapshot.scheduling.cluster_queues = {queue};
  snapshot.scheduling.workloads = std::move(holders);
  QueuedWorkload waiting{.ns = "ml", .name = "waiting"};
  waiting.pod_sets = {{"main", 1, {{"nvidia.com/gpu", Quantity::of(gpus)}}}};
  const scheduler::Cluster cluster(snapshot);
  return idle_holders(cluster, snapshot.scheduling.cluster_queues.front(), waiting);
}

const std::chrono::minutes kDay{24 * 60};

std::string command_of(const std::optional<IdleHolders>& found) {
  return found && found->fix ? found->fix->command : "";
}

}  // namespace

TEST_CASE("the smallest workload without pods that is enough is to be deleted") {
  const std::vector<QueuedWorkload> holders = {holder("big", 8, kDay), holder("old", 8, 2 * kDay),
                                               holder("small", 2, kDay)};
  CHECK(command_of(asked(8, holders)) == "kubectl delete rayjob -n ml small");
  CHECK(command_of(asked(12, holders)) == "kubectl delete rayjob -n ml old");
  CHECK(command_of(asked(22, holders)) ==
        "kubectl delete rayjob -n ml big\nkubectl delete rayjob -n ml old");
  CHECK(asked(12, holders)->fix->stops == std::vector<std::string>{"rayjob/ml/old"});
}

TEST_CASE("a workload of which a pod is there, or that was just admitted, holds no idle quota") {
  CHECK_FALSE(asked(8, {holder("a", 8, std::chrono::minutes{10})}));
  CHECK(asked(8, {holder("a", 8, std::chrono::minutes{11})}));
  Pod pod = make::running("a-raycluster-worker-0", "a");
  pod.ns = "ml";
  CHECK_FALSE(asked(8, {holder("a", 8, kDay)}, {pod}));
  pod.name = "other";
  CHECK(asked(8, {holder("a", 8, kDay)}, {pod}));
  pod.labels = {{"ray.io/cluster", "a-x2"}};
  CHECK_FALSE(asked(8, {holder("a", 8, kDay)}, {pod}));
}

TEST_CASE(
    "a pod under what was not read proves neither that a workload runs nor that it does not") {
  Pod pod = make::running("long-name-that-is-cut-worker-0", "a");
  pod.ns = "ml";
  pod.owners = {{.kind = "RayCluster", .name = "cut", .uid = "rc", .controller = true}};
  const auto unknown = asked(8, {holder("long-name-that-is-cut-short", 8, kDay)}, {pod});
  REQUIRE(unknown);
  CHECK_FALSE(unknown->fix);
  CHECK(unknown->advice.empty());
  CHECK(unknown->look->command == "kubectl describe rayjob -n ml long-name-that-is-cut-short");
  pod.owners.front().kind = "ReplicaSet";
  CHECK(asked(8, {holder("long-name-that-is-cut-short", 8, kDay)}, {pod})->fix);
}

TEST_CASE("what a kind that may make anything runs is not known") {
  QueuedWorkload wrapper = holder("wrap", 8, kDay);
  wrapper.owners.front().kind = "AppWrapper";
  const auto found = asked(8, {wrapper});
  REQUIRE(found);
  CHECK_FALSE(found->fix);
  CHECK(found->not_checked.size() == 1);
}

TEST_CASE("a pod that has failed, or succeeded, does not run") {
  Pod pod = make::running("a-0", "a");
  pod.ns = "ml";
  pod.owners = {{.kind = "RayJob", .name = "a", .uid = "uid-a", .controller = true}};
  CHECK_FALSE(asked(8, {holder("a", 8, kDay)}, {pod}));
  for (const char* const phase : {"Failed", "Succeeded"}) {
    pod.phase = phase;
    pod.conditions.clear();
    CHECK(asked(8, {holder("a", 8, kDay)}, {pod})->fix);
    pod.conditions = {{.type = "Ready", .status = "False", .last_transition = kNow}};
    CHECK_FALSE(asked(8, {holder("a", 8, kDay)}, {pod}));
  }
}

TEST_CASE("what has finished, or may run in another cluster, is left out") {
  QueuedWorkload finished = holder("a", 8, kDay);
  finished.conditions.push_back({.type = "Finished", .status = "True"});
  CHECK_FALSE(asked(8, {finished}));
  QueuedWorkload elsewhere = holder("a", 8, kDay);
  elsewhere.admission_checks = {{.name = "multikueue", .state = "Ready"}};
  CHECK_FALSE(asked(8, {elsewhere}));
}

TEST_CASE("of which flavor a workload has quota is not known, and nothing is called tested") {
  const auto found = asked(20, {holder("a", 8, kDay)}, {}, true);
  REQUIRE(found);
  CHECK_FALSE(found->fix);
  REQUIRE(found->advice.size() == 1);
  CHECK(found->advice[0].command == "kubectl delete rayjob -n ml a");
}

}  // namespace gpu::admission::kueue_idle_holders_test
