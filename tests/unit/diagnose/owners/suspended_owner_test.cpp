#include "diagnose/owners/suspended_owner.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace owners_suspended_owner_test {

using namespace gpu;
using namespace gpu::diagnose;

namespace {

WorkloadObject object(std::string kind, std::string api_version, StringMap labels = {}) {
  WorkloadObject made{.kind = std::move(kind), .api_version = std::move(api_version)};
  made.ns = "ml";
  made.name = "train";
  made.labels = std::move(labels);
  return made;
}

Explanation answer(const WorkloadObject& of, const SchedulingFacts& facts, bool is_seen = true) {
  Explanation made{.ns = "ml", .name = "train", .kind = of.kind};
  explain_suspended(made, facts, is_seen ? &of : nullptr);
  CHECK(made.code == Code::held_by_queue);
  return made;
}

SchedulingFacts facts_with(Coverage coverage, bool has_queue) {
  SchedulingFacts facts;
  facts.coverages["workloads"] = coverage;
  if (has_queue) facts.local_queues.emplace_back();
  return facts;
}

/// Events of Job `train`: reason and second.
std::string suspended_by(const std::vector<std::pair<std::string, int>>& said) {
  Snapshot snapshot = make::cluster({});
  for (const auto& [reason, second] : said) {
    Event event{.ns = "ml", .reason = reason, .kind = "Job", .object = "train"};
    event.message = reason + std::to_string(second);
    event.last = Time{std::chrono::seconds{second}};
    snapshot.scheduling.events.push_back(event);
  }
  const scheduler::Cluster cluster(snapshot);
  const Event* const found = suspension(cluster, "ml", {.kind = "Job", .name = "train"});
  return found == nullptr ? "" : found->message;
}

const std::string kUnread = "Kueue's Workloads, which could not be read";

}  // namespace

TEST_CASE("a Job that somebody suspended is resumed by a patch") {
  const Explanation it = answer(object("Job", "batch/v1"), facts_with(Coverage::whole, false));
  CHECK(it.summary == "the Job is suspended (spec.suspend: true)");
  CHECK(it.nearest == "it is suspended");
  REQUIRE(it.advice.size() == 1);
  CHECK(it.advice.front().command ==
        "kubectl patch job train -n ml --type merge -p '{\"spec\":{\"suspend\":false}}'");
  CHECK(it.not_checked.empty());
  CHECK(it.remarks.empty());
}

TEST_CASE("only Kubeflow's Jobs are suspended by their runPolicy") {
  const SchedulingFacts facts = facts_with(Coverage::whole, false);
  CHECK(answer(object("PyTorchJob", "kubeflow.org/v1"), facts).summary ==
        "the PyTorchJob is suspended (spec.runPolicy.suspend: true)");
  CHECK_THAT(answer(object("PyTorchJob", "kubeflow.org/v1"), facts).advice.front().command,
             Catch::Contains("-p '{\"spec\":{\"runPolicy\":{\"suspend\":false}}}'"));
  CHECK(answer(object("Notebook", "kubeflow.org/v1"), facts).summary ==
        "the Notebook is suspended (spec.suspend: true)");
  CHECK(answer(object("Job", "batch/v1"), facts, false).summary ==
        "the Job is suspended (spec.suspend: true)");
}

TEST_CASE("where there are queues, a suspended Job may be given one") {
  const Explanation seen = answer(object("Job", "batch/v1"), facts_with(Coverage::whole, true));
  CHECK(seen.summary ==
        "the Job is suspended (spec.suspend: true), and Kueue has no Workload for it");
  CHECK(seen.remarks.size() == 1);
  REQUIRE(seen.advice.size() == 2);
  CHECK(seen.advice.back().command ==
        "kubectl label job train -n ml kueue.x-k8s.io/queue-name=QUEUE");
  const Explanation unseen = answer(object("Job", "batch/v1"), facts_with(Coverage::none, true));
  CHECK(unseen.summary == "the Job is suspended (spec.suspend: true)");
  CHECK(unseen.not_checked == std::vector<std::string>{kUnread});
  CHECK(unseen.advice.size() == 2);
  CHECK(answer(object("CronJob", "batch/v1"), facts_with(Coverage::whole, true)).advice.size() ==
        1);
  SchedulingFacts facts = facts_with(Coverage::whole, false);
  facts.cluster_queues.emplace_back();
  CHECK(answer(object("Job", "batch/v1"), facts).advice.size() == 2);
  facts.cluster_queues.clear();
  facts.workloads.emplace_back();
  CHECK(answer(object("Job", "batch/v1"), facts).advice.size() == 2);
}

TEST_CASE("a Job with a queue waits for Kueue") {
  const WorkloadObject queued =
      object("Job", "batch/v1", {{"kueue.x-k8s.io/queue-name", "research"}});
  const Explanation seen = answer(queued, facts_with(Coverage::whole, true));
  CHECK(seen.summary ==
        "the Job is suspended for Kueue's queue research, and Kueue has made no Workload for it");
  CHECK(seen.nearest == "Kueue has not admitted it");
  REQUIRE(seen.advice.size() == 1);
  CHECK(seen.advice.front().command == "kubectl get pods -n kueue-system");
  const Explanation unseen = answer(queued, facts_with(Coverage::none, true));
  CHECK(unseen.summary == "the Job is suspended for Kueue's queue research");
  CHECK(unseen.not_checked == std::vector<std::string>{kUnread});
  REQUIRE(unseen.advice.size() == 1);
  CHECK(unseen.advice.front().command == "kubectl describe workloads -n ml");
}

TEST_CASE("the newest event says whether a Job is suspended") {
  CHECK(suspended_by({}).empty());
  CHECK(suspended_by({{"Suspended", 1}}) == "Suspended1");
  CHECK(suspended_by({{"Suspended", 1}, {"Resumed", 2}}).empty());
  CHECK(suspended_by({{"Resumed", 2}, {"Suspended", 1}}).empty());
  CHECK(suspended_by({{"Resumed", 2}, {"Suspended", 3}, {"Completed", 4}}) == "Suspended3");
  CHECK(suspended_by({{"Resumed", 2}, {"Suspended", 2}}) == "Suspended2");
}

TEST_CASE("events of other owners do not suspend a Job") {
  Snapshot snapshot = make::cluster({});
  snapshot.scheduling.events = {
      {.ns = "dev", .reason = "Suspended", .kind = "Job", .object = "train"},
      {.ns = "ml", .reason = "Suspended", .kind = "Job", .object = "other"},
      {.ns = "ml", .reason = "Suspended", .kind = "CronJob", .object = "train"}};
  const scheduler::Cluster cluster(snapshot);
  CHECK(suspension(cluster, "ml", {.kind = "Job", .name = "train"}) == nullptr);
  CHECK(suspension(cluster, "dev", {.kind = "Job", .name = "train"}) != nullptr);
}

}  // namespace owners_suspended_owner_test
