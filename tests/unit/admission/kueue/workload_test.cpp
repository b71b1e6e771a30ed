#include "admission/kueue/workload.hpp"

#include <catch2/catch.hpp>

#include "diagnose/lifecycle/before_scheduling.hpp"
#include "diagnose/owners/named_owner.hpp"
#include "scheduler/cycle/judge_make.hpp"

namespace kueue_workload_test {

using namespace gpu;
using namespace gpu::admission;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

constexpr Time kNow{std::chrono::seconds{1000}};

Condition without_quota(const std::string& message) {
  return {.type = "QuotaReserved", .status = "False", .reason = "Pending", .message = message};
}

/// A Workload of Job `name` in queue `q`: two pods of 4 GPUs and half a cpu.
QueuedWorkload workload(const std::string& name, std::vector<Condition> conditions,
                        std::chrono::seconds age = std::chrono::seconds{60}) {
  QueuedWorkload made{.ns = "ml", .name = "job-" + name};
  made.created = kNow - age;
  made.owners = {{.kind = "Job", .name = name, .uid = "uid-" + name}};
  made.queue = "q";
  made.pod_sets = {
      {"main", 2, {{"cpu", Quantity::of_milli(500)}, {"nvidia.com/gpu", Quantity::of(4)}}}};
  made.conditions = std::move(conditions);
  return made;
}

Snapshot with_queue(std::vector<QueuedWorkload> workloads, ClusterQueue queue = {.name = "cq"}) {
  Snapshot snapshot = make::cluster({});
  SchedulingFacts& facts = snapshot.scheduling;
  facts.workloads = std::move(workloads);
  facts.local_queues = {{.ns = "ml", .name = "q", .cluster_queue = "cq"}};
  facts.cluster_queues = {std::move(queue)};
  facts.coverages = {{"workloads", Coverage::whole},
                     {"localqueues", Coverage::whole},
                     {"clusterqueues", Coverage::whole}};
  return snapshot;
}

std::string summary_of(const Snapshot& snapshot, std::size_t number = 0) {
  const auto hold = queue_hold(Cluster(snapshot), snapshot.scheduling.workloads.at(number));
  return hold ? text_of(*hold) : "";
}

}  // namespace

TEST_CASE("what is admitted or finished is not held back") {
  for (const char* const type : {"Admitted", "Finished"})
    CHECK(summary_of(with_queue({workload("train", {{.type = type, .status = "True"}})})).empty());
}

TEST_CASE("Kueue's own words say what quota is missing") {
  const std::string words =
      "insufficient unused quota for nvidia.com/gpu in flavor a, 4 more needed";
  const Snapshot snapshot = with_queue({workload("train", {without_quota(words)})});
  CHECK(summary_of(snapshot) == "Kueue has not admitted it: " + words);
}

TEST_CASE("a queue that is missing, stopped or broken is named before Kueue's words") {
  QueuedWorkload lost = workload("train", {without_quota("LocalQueue p doesn't exist")});
  lost.queue = "p";
  CHECK(summary_of(with_queue({lost})) == "the queue p does not exist in namespace ml");
  const QueuedWorkload other = workload("train", {without_quota("ClusterQueue cq is inactive")});
  CHECK(summary_of(with_queue({other}, {.name = "cq", .stop_policy = "Hold"})) ==
        "the ClusterQueue cq is stopped (stopPolicy: Hold)");
  ClusterQueue broken{.name = "cq"};
  broken.conditions = {{.type = "Active", .status = "False", .message = "no flavor"}};
  CHECK(summary_of(with_queue({other}, broken)) == "the ClusterQueue cq is not active: no flavor");
  CHECK(summary_of(with_queue({other}, {.name = "elsewhere"})) ==
        "the ClusterQueue cq of queue q does not exist");
}

TEST_CASE("the head of a StrictFIFO queue holds back what Kueue has not looked at") {
  using std::chrono::seconds;
  const std::vector<QueuedWorkload> two = {
      workload("head", {without_quota("no room")}, seconds{90}),
      workload("behind", {}, seconds{30})};
  const ClusterQueue strict{.name = "cq", .strategy = "StrictFIFO"};
  CHECK(summary_of(with_queue(two, strict), 1) ==
        "Kueue does not look at it: ml/head waits before it in the StrictFIFO ClusterQueue cq");
  CHECK(summary_of(with_queue(two), 1) == "Kueue has not looked at it yet");
}

TEST_CASE("where Kueue is silent for long, its controller may not run") {
  Snapshot snapshot = with_queue({workload("train", {}, std::chrono::hours{3})});
  snapshot.taken_at = kNow;
  const auto hold = [&] {
    return queue_hold(Cluster(snapshot), snapshot.scheduling.workloads.front()).value();
  };
  CHECK(text_of(hold()) == "Kueue has said nothing of it for 3h");
  REQUIRE(hold().advice.size() == 1);
  CHECK(hold().advice[0].command == "kubectl get pods -n kueue-system");
  CHECK(hold().not_checked.empty());
  snapshot.scheduling.cluster_queues.clear();
  snapshot.scheduling.coverages.erase("clusterqueues");
  CHECK(hold().not_checked.size() == 1);
  snapshot.scheduling.workloads.front().created = kNow;
  CHECK(text_of(hold()) == "Kueue has not looked at it yet");
  CHECK(hold().advice.empty());
}

TEST_CASE("a Workload is found by its owner's uid, by kind and name only where one has none") {
  QueuedWorkload old = workload("train", {});
  QueuedWorkload now = workload("train", {});
  now.owners.front().uid = "uid-new";
  const Snapshot snapshot = with_queue({old, now});
  const Cluster cluster(snapshot);
  const auto& all = snapshot.scheduling.workloads;
  CHECK(workload_of(cluster, "ml", "Job", "train", "uid-new") == &all[1]);
  CHECK(workload_of(cluster, "ml", "Job", "train", "uid-third") == nullptr);
  CHECK(workload_of(cluster, "ml", "Job", "train", "") == &all[0]);
  CHECK(workload_of(cluster, "other", "Job", "train", "uid-new") == nullptr);
}

TEST_CASE(
    "a Job that Kueue holds back is listed with all that its pods request, until it has pods") {
  Snapshot snapshot = with_queue({workload("train", {without_quota("no room")})});
  const ExplainOptions options{.now = kNow};
  const auto held = held_without_pods(Cluster(snapshot), "", options);
  REQUIRE(held.size() == 1);
  CHECK(held[0].code == Code::held_by_queue);
  CHECK(held[0].kind == "Job");
  CHECK(held[0].name == "train");
  CHECK(held[0].gpus == 8);
  CHECK(held[0].waiting == std::chrono::seconds{60});
  REQUIRE(held[0].requests.size() == 2);
  CHECK(held[0].requests[0].resource == "nvidia.com/gpu");
  CHECK(held[0].requests[1].amount == 1000);
  CHECK(held_without_pods(Cluster(snapshot), "other", options).empty());
  Pod pod = make::waiting("train-0", 4);
  pod.ns = "ml";
  pod.owners = {{.kind = "Job", .name = "train", .uid = "uid-train"}};
  snapshot.pods = {pod};
  CHECK(held_without_pods(Cluster(snapshot), "", options).empty());
}

TEST_CASE("a Job that is suspended and that Kueue does not know is told by its events") {
  Snapshot snapshot = with_queue({});
  const auto event = [](const std::string& reason, int at) {
    Event made{.ns = "ml", .type = "Normal", .reason = reason, .kind = "Job", .object = "train"};
    made.last = Time{std::chrono::seconds{at}};
    return made;
  };
  const Owner owner{.kind = "Job", .name = "train", .uid = {}, .api_version = {}};
  snapshot.scheduling.events = {event("Suspended", 10)};
  const auto answer = missing_pods(Cluster(snapshot), "ml", owner, {});
  REQUIRE(answer);
  CHECK(answer->summary ==
        "the Job is suspended (spec.suspend: true), and Kueue has no Workload for it");
  snapshot.scheduling.events.push_back(event("Resumed", 20));
  CHECK_FALSE(missing_pods(Cluster(snapshot), "ml", owner, {}));
}

TEST_CASE("what Kueue has let go and has no pods yet is about to start") {
  const Owner owner{.kind = "Job", .name = "train", .uid = {}, .api_version = {}};
  Snapshot snapshot = with_queue({workload("train", {{.type = "Admitted", .status = "True"}})});
  const auto answer = missing_pods(Cluster(snapshot), "ml", owner, {});
  REQUIRE(answer);
  CHECK_FALSE(answer->is_blocked);
  CHECK(answer->summary == "Kueue has admitted it, and its pods are about to be made");
  Pod pod = make::waiting("train-0", 4);
  pod.ns = "ml";
  pod.owners = {{.kind = "Job", .name = "train", .uid = "uid-train"}};
  snapshot.pods = {pod};
  CHECK_FALSE(missing_pods(Cluster(snapshot), "ml", owner, {}));
}

TEST_CASE("an admission check is named, with what it says") {
  QueuedWorkload waits = workload("train", {{.type = "QuotaReserved", .status = "True"}});
  waits.admission_checks = {{"fine", "Ready", ""}, {"spend", "Pending", ""}};
  CHECK(summary_of(with_queue({waits})) ==
        "Kueue has reserved quota for it, and waits for admission check spend (Pending)");
  waits.admission_checks.push_back({"stock", "Retry", "no capacity"});
  CHECK(summary_of(with_queue({waits})) ==
        "the admission check stock cannot pass now, and Kueue tries it again (Retry): no capacity");
  waits.admission_checks.push_back({"law", "Rejected", "not allowed."});
  CHECK(summary_of(with_queue({waits})) == "the admission check law rejected it: not allowed");
}

TEST_CASE("a check that rejected a Workload is named after Kueue has evicted it") {
  QueuedWorkload out = workload("train", {});
  out.is_active = false;
  CHECK(summary_of(with_queue({out})) ==
        "the Workload job-train is switched off (spec.active: false)");
  out.admission_checks = {
      {"law", "Pending", "Reset to Pending after eviction. Previously: Rejected"}};
  CHECK(summary_of(with_queue({out})) ==
        "the admission check law rejected it, so Kueue switched its Workload off");
}

TEST_CASE("who holds quota of a cohort is told, biggest first, and who has borrowed") {
  const auto holds = [](const std::string& name, const std::string& queue, std::int64_t gpus) {
    QueuedWorkload made = workload(name, {{.type = "QuotaReserved", .status = "True"}});
    made.cluster_queue = queue;
    made.pod_sets = {{"main", 1, {{"nvidia.com/gpu", Quantity::of(gpus)}}}};
    return made;
  };
  const auto queue = [](const std::string& name, std::int64_t reserved) {
    ClusterQueue made{.name = name, .cohort = "pool"};
    made.quotas = {{.flavor = "a", .resource = "nvidia.com/gpu", .nominal = Quantity::of(8)}};
    made.quotas.front().reserved = Quantity::of(reserved);
    return made;
  };
  Snapshot snapshot = with_queue(
      {workload("train",
                {without_quota("insufficient unused quota for nvidia.com/gpu in flavor a, 4 more "
                               "needed")}),
       holds("small", "cq", 4), holds("big", "other", 12), holds("elsewhere", "alone", 64)},
      queue("cq", 4));
  snapshot.scheduling.cluster_queues.push_back(queue("other", 12));
  snapshot.scheduling.cluster_queues.push_back({.name = "alone"});
  const auto hold = queue_hold(Cluster(snapshot), snapshot.scheduling.workloads.front());
  REQUIRE(hold);
  REQUIRE(hold->remarks.size() == 3);
  CHECK(hold->remarks[0].text ==
        "of ClusterQueue cq, 4 of 8 nvidia.com/gpu in flavor a are reserved");
  CHECK(hold->remarks[1].text ==
        "ClusterQueue other of the same cohort has borrowed: 12 are reserved there, and 8 are its "
        "own");
  CHECK(hold->remarks[2].text ==
        "quota there is held by ml/big (12, by ClusterQueue other), ml/small (4)");
}

TEST_CASE("a taint in Kueue's words is written as kubectl takes it") {
  const auto told = [](const std::string& taint) {
    return summary_of(with_queue({workload(
        "train", {without_quota("couldn't assign flavors to pod set main: untolerated taint {" +
                                taint + " <nil>} in flavor a")})}));
  };
  CHECK(told("team vision NoSchedule") ==
        "Kueue has not admitted it: untolerated taint team=vision:NoSchedule in flavor a");
  CHECK(told("team  NoSchedule") ==
        "Kueue has not admitted it: untolerated taint team:NoSchedule in flavor a");
  CHECK(told("odd") == "Kueue has not admitted it: untolerated taint {odd <nil>} in flavor a");
}

TEST_CASE("one that waits behind another is passed over, now and if it is created") {
  const QueueHold behind = held_behind({.ns = "ml", .name = "first"}, "cq");
  CHECK(behind.kind == HoldKind::passed_over);
  CHECK(text_of(behind).starts_with("Kueue does not look at it: "));
  CHECK(text_if_created(behind, gpu::diagnose::Certainty::sure)
            .starts_with("Kueue would not look at it: "));
  CHECK(text_if_created({.reason = "no quota"}, gpu::diagnose::Certainty::as_far_as_checked) ==
        "Kueue would hold it back, as far as could be checked: no quota");
}

TEST_CASE("what a cohort may have is not denied") {
  CHECK(ask_for_less(gpu::diagnose::Certainty::sure).summary ==
        "request less, or raise nominalQuota or the borrowing limit: the queue can never give that "
        "much");
  CHECK(ask_for_less(gpu::diagnose::Certainty::as_far_as_checked).summary ==
        "request less, or raise nominalQuota or the borrowing limit");
}

}  // namespace kueue_workload_test
