#include "admission/kueue/forecast.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace kueue_forecast_test {

using Catch::Contains;
using namespace gpu;
using namespace gpu::admission;
using namespace gpu::diagnose;
using namespace gpu::scheduler;

namespace {

constexpr const char* kGpu = "nvidia.com/gpu";

FlavorQuota quota(std::string flavor, std::int64_t nominal, std::optional<std::int64_t> reserved) {
  FlavorQuota made{.flavor = std::move(flavor), .resource = kGpu, .nominal = Quantity::of(nominal)};
  if (reserved) made.reserved = Quantity::of(*reserved);
  return made;
}

Snapshot with_queue(std::vector<FlavorQuota> quotas) {
  Snapshot snapshot = make::cluster({});
  SchedulingFacts& facts = snapshot.scheduling;
  facts.local_queues = {{.ns = "ml", .name = "q", .cluster_queue = "cq"}};
  facts.namespaces = {{.name = "ml", .labels = {{"team", "vision"}}}};
  for (const FlavorQuota& each : quotas)
    facts.resource_flavors.push_back({.name = each.flavor, .node_labels = {{"gpu", each.flavor}}});
  facts.cluster_queues = {
      {.name = "cq", .namespace_selector = ObjectSelector{}, .quotas = std::move(quotas)}};
  for (const char* kind :
       {"workloads", "localqueues", "clusterqueues", "namespaces", "cohorts", "resourceflavors"})
    facts.coverages[kind] = Coverage::whole;
  return snapshot;
}

QueuedWorkload plan(std::int64_t count, std::int64_t gpus) {
  QueuedWorkload made{.ns = "ml", .name = "train", .queue = "q"};
  made.pod_sets = {{.name = "main", .count = count, .requests = {{kGpu, Quantity::of(gpus)}}}};
  return made;
}

QueueOpinion opinion(const Snapshot& snapshot, const QueuedWorkload& planned) {
  return queue_opinion(Cluster(snapshot), planned);
}

std::string held(const Snapshot& snapshot, const QueuedWorkload& planned) {
  const QueueOpinion told = opinion(snapshot, planned);
  return told.hold ? text_of(*told.hold) : "";
}

}  // namespace

TEST_CASE("a queue that cannot admit holds what is planned") {
  Snapshot snapshot = with_queue({quota("h100", 8, 0)});
  QueuedWorkload lost = plan(1, 1);
  lost.queue = "p";
  CHECK(held(snapshot, lost) == "the queue p does not exist in namespace ml");
  snapshot.scheduling.local_queues[0].stop_policy = "Hold";
  CHECK(held(snapshot, plan(1, 1)) == "the queue q is stopped (stopPolicy: Hold)");
}

TEST_CASE("quota that is free admits it, and what is reserved or too small does not") {
  const Snapshot snapshot = with_queue({quota("h100", 8, 4)});
  const QueueOpinion free = opinion(snapshot, plan(2, 2));
  CHECK_FALSE(free.hold);
  CHECK(free.remarks.at(0).text ==
        "Kueue has quota for it: of ClusterQueue cq, 4 of 8 nvidia.com/gpu in flavor h100 are "
        "reserved");
  CHECK(free.not_checked.empty());
  CHECK(held(snapshot, plan(4, 2)) ==
        "insufficient unused quota for nvidia.com/gpu in flavor h100, 4 more needed");
  CHECK_THAT(opinion(snapshot, plan(4, 2)).not_checked.at(0), Contains("preempt others"));
  CHECK(held(snapshot, plan(4, 4)) ==
        "insufficient quota for nvidia.com/gpu in flavor h100, previously considered podsets "
        "requests (0) + current podset request (16) > maximum capacity (8)");
  QueuedWorkload more = plan(1, 1);
  more.pod_sets[0].requests.set("cpu", Quantity::of(1));
  CHECK(held(snapshot, more) == "resource cpu unavailable in ClusterQueue");
  CHECK(opinion(snapshot, more).not_checked.at(0) ==
        "of ClusterQueue cq, whether Kueue's configuration leaves that resource out");
}

TEST_CASE("the next flavor serves where the first has too little") {
  const Snapshot snapshot = with_queue({quota("h100", 8, 8), quota("a100", 8, 2)});
  const QueueOpinion told = opinion(snapshot, plan(1, 4));
  CHECK_FALSE(told.hold);
  CHECK_THAT(told.remarks.at(0).text, Contains("2 of 8 nvidia.com/gpu in flavor a100"));
  // Sets of pods take from the same quota.
  QueuedWorkload two = plan(1, 4);
  two.pod_sets.push_back(two.pod_sets[0]);
  CHECK_THAT(
      held(snapshot, two),
      Contains("insufficient unused quota for nvidia.com/gpu in flavor a100, 2 more needed"));
}

TEST_CASE("a cohort lends what nobody in it uses, up to the borrowing limit") {
  Snapshot snapshot = with_queue({quota("h100", 4, 4)});
  SchedulingFacts& facts = snapshot.scheduling;
  facts.cluster_queues[0].cohort = "all";
  facts.cluster_queues.push_back(
      {.name = "other", .cohort = "all", .quotas = {quota("h100", 8, 2)}});
  CHECK(held(snapshot, plan(1, 6)).empty());
  CHECK_THAT(opinion(snapshot, plan(1, 6)).remarks.at(0).text,
             Contains("it borrows 6 nvidia.com/gpu in flavor h100 from cohort all"));
  CHECK_THAT(held(snapshot, plan(1, 7)), Contains("1 more needed"));
  facts.cluster_queues[0].quotas[0].borrowing_limit = Quantity::of(2);
  CHECK(held(snapshot, plan(1, 2)).empty());
  CHECK_THAT(held(snapshot, plan(1, 7)), Contains("maximum capacity (6)"));
}

TEST_CASE("what is planned before takes quota, also of the cohort") {
  Snapshot snapshot = with_queue({quota("h100", 8, 2), quota("a100", 4, 0)});
  QueueTaken before;
  for (int i = 0; i < 2; ++i) {
    const QueueOpinion told = queue_opinion(Cluster(snapshot), plan(1, 3), before);
    REQUIRE_FALSE(told.hold);
    add_taken(before, told.takes);
  }
  CHECK(before == QueueTaken{{{"cq", "h100", kGpu}, 6}});
  const QueueOpinion next = queue_opinion(Cluster(snapshot), plan(1, 4), before);
  CHECK(next.takes == QueueTaken{{{"cq", "a100", kGpu}, 4}});
  CHECK_THAT(next.remarks.at(0).text, Contains("0 of 4 nvidia.com/gpu in flavor a100"));
  add_taken(before, {{{"cq", "a100", kGpu}, 2}});
  const QueueOpinion last = queue_opinion(Cluster(snapshot), plan(1, 3), before);
  REQUIRE(last.hold);
  CHECK(last.takes.empty());
  CHECK_THAT(last.hold->reason, Contains("flavor h100, 3 more needed"));
  CHECK_THAT(last.hold->reason, Contains("flavor a100, 1 more needed"));
  CHECK(last.hold->remarks.back().text ==
        "what is planned before it is taken to be admitted, with 2 nvidia.com/gpu in flavor a100, "
        "6 nvidia.com/gpu in flavor h100");
  snapshot.scheduling.cluster_queues[0].cohort = "all";
  snapshot.scheduling.cluster_queues.push_back(
      {.name = "other", .cohort = "all", .quotas = {quota("h100", 2, 0)}});
  // Of h100 the cohort has 10, of which 2 are reserved.
  const QueueTaken others = {{{"other", "h100", kGpu}, 5}};
  const auto taken = [&](std::int64_t gpus) {
    return queue_opinion(Cluster(snapshot), plan(1, gpus), others).takes;
  };
  CHECK(taken(3) == QueueTaken{{{"cq", "h100", kGpu}, 3}});
  CHECK(taken(4) == QueueTaken{{{"cq", "a100", kGpu}, 4}});
  CHECK(taken(5).empty());
}

TEST_CASE("of a cohort that was not read nothing is said for sure") {
  Snapshot snapshot = with_queue({quota("h100", 4, 0)});
  snapshot.scheduling.coverages.erase("cohorts");
  CHECK(opinion(snapshot, plan(1, 1)).is_sure);
  snapshot.scheduling.cluster_queues[0].cohort = "all";
  const QueueOpinion free = opinion(snapshot, plan(1, 1));
  CHECK_FALSE(free.is_sure);
  CHECK_THAT(free.remarks.at(0).text, Contains("Kueue may have quota for it"));
  CHECK(free.not_checked.at(0) ==
        "of ClusterQueue cq, quotas of the cohort itself, and of those above it");
  const QueueOpinion much = opinion(snapshot, plan(1, 5));
  REQUIRE(much.hold);
  CHECK(much.hold->advice.at(0).summary ==
        "request less, or raise nominalQuota or the borrowing limit");
  Explanation answer{.ns = "ml", .name = "train"};
  add_queue_opinion(answer, much);
  CHECK_THAT(answer.summary, Contains("would hold it back, as far as could be checked: insuff"));
  CHECK(answer.nearest == "more than the queues of its cohort have");
  snapshot.scheduling.coverages["cohorts"] = Coverage::whole;
  CHECK(opinion(snapshot, plan(1, 1)).not_checked.empty());
  CHECK(opinion(snapshot, plan(1, 5)).hold->nearest == "more than its queue can ever give");
}

TEST_CASE("a cohort's own quota counts, where there is such an object") {
  Snapshot snapshot = with_queue({quota("h100", 4, 0)});
  snapshot.scheduling.cluster_queues[0].cohort = "all";
  snapshot.scheduling.cohorts = {{.name = "all", .parent = {}, .quotas = {quota("h100", 2, {})}}};
  CHECK(held(snapshot, plan(1, 6)).empty());
  CHECK_THAT(held(snapshot, plan(1, 7)), Contains("maximum capacity (6)"));
}

TEST_CASE("a queue is closed to namespaces that its selector does not match") {
  Snapshot snapshot = with_queue({quota("h100", 4, 0)});
  ClusterQueue& queue = snapshot.scheduling.cluster_queues[0];
  queue.namespace_selector->labels = {{"team", "speech"}};
  const QueueOpinion closed = opinion(snapshot, plan(1, 1));
  REQUIRE(closed.hold);
  CHECK(closed.hold->reason == "Workload namespace doesn't match ClusterQueue selector");
  CHECK(closed.hold->nearest == "its queue is closed to the namespace");
  CHECK(closed.takes.empty());
  queue.namespace_selector->labels = {{"team", "vision"}};
  CHECK(held(snapshot, plan(1, 1)).empty());
  // Without a selector it is open to nobody.
  queue.namespace_selector.reset();
  CHECK_FALSE(held(snapshot, plan(1, 1)).empty());
  snapshot.scheduling.coverages["namespaces"] = Coverage::none;
  CHECK(held(snapshot, plan(1, 1)).empty());
  CHECK(opinion(snapshot, plan(1, 1)).not_checked.at(0) ==
        "of ClusterQueue cq, whether it is open to this namespace");
}

TEST_CASE("a flavor of nodes that the pods do not select or tolerate serves them not") {
  Snapshot snapshot = with_queue({quota("h100", 8, 0), quota("a100", 8, 0)});
  QueuedWorkload planned = plan(1, 4);
  planned.pod_sets[0].node_selector = {{"gpu", "a100"}, {"disk", "ssd"}};
  CHECK(opinion(snapshot, planned).takes == QueueTaken{{{"cq", "a100", kGpu}, 4}});
  planned.pod_sets[0].node_selector = {{"gpu", "b200"}};
  CHECK(held(snapshot, planned) ==
        "flavor a100 doesn't match node affinity, flavor h100 doesn't match node affinity");
  CHECK(opinion(snapshot, planned).hold->nearest == "its queue has no flavor for its nodes");
  snapshot.scheduling.resource_flavors[0].node_taints = {
      {.key = "spot", .value = "true", .effect = "NoSchedule"}};
  CHECK(opinion(snapshot, plan(1, 4)).takes == QueueTaken{{{"cq", "a100", kGpu}, 4}});
  snapshot.scheduling.coverages.erase("resourceflavors");
  snapshot.scheduling.resource_flavors.clear();
  const QueueOpinion unread = opinion(snapshot, planned);
  CHECK_FALSE(unread.hold);
  CHECK_THAT(unread.not_checked.at(0), Contains("whether its flavors are of nodes"));
}

TEST_CASE("a queue may rather take the next flavor than borrow") {
  Snapshot snapshot = with_queue({quota("h100", 4, 2), quota("a100", 8, 0)});
  ClusterQueue& queue = snapshot.scheduling.cluster_queues[0];
  queue.cohort = "all";
  snapshot.scheduling.cluster_queues.push_back(
      {.name = "other", .cohort = "all", .quotas = {quota("h100", 8, 0)}});
  const auto taken = [&] { return opinion(snapshot, plan(1, 4)).takes.begin()->first; };
  CHECK(std::get<1>(taken()) == "h100");
  snapshot.scheduling.cluster_queues[0].tries_next_before_borrowing = true;
  CHECK(std::get<1>(taken()) == "a100");
  snapshot.scheduling.cluster_queues[0].quotas[1].reserved = Quantity::of(8);
  CHECK(std::get<1>(taken()) == "h100");
}

TEST_CASE("admission checks and topologies are named as not checked") {
  Snapshot snapshot = with_queue({quota("h100", 4, 0)});
  snapshot.scheduling.cluster_queues[0].admission_checks = {"dws", "multi"};
  CHECK(opinion(snapshot, plan(1, 1)).not_checked.at(0) ==
        "of ClusterQueue cq, its admission checks (dws, multi)");
  snapshot.scheduling.cluster_queues[0].admission_checks.clear();
  snapshot.scheduling.resource_flavors[0].topology = "racks";
  CHECK_THAT(opinion(snapshot, plan(1, 1)).not_checked.at(0), Contains("whether the topology"));
}

TEST_CASE("without Kueue a queue has no effect, and one that was not read is not checked") {
  Snapshot none = with_queue({});
  none.scheduling.local_queues.clear();
  none.scheduling.cluster_queues.clear();
  CHECK_FALSE(opinion(none, plan(1, 1)).hold);
  CHECK_THAT(opinion(none, plan(1, 1)).remarks.at(0).text, Contains("its queue q has no effect"));
  none.scheduling.namespaces = {{.name = "kueue-system"}};
  CHECK(held(none, plan(1, 1)) == "the queue q does not exist in namespace ml");
  none.scheduling.coverages.clear();
  CHECK_FALSE(opinion(none, plan(1, 1)).hold);
  CHECK_THAT(opinion(none, plan(1, 1)).not_checked.at(0), Contains("no queues were read"));
  const QueueOpinion unknown = opinion(with_queue({quota("h100", 8, {})}), plan(1, 1));
  CHECK_FALSE(unknown.hold);
  CHECK_THAT(unknown.not_checked.at(0), Contains("how much of the quota"));
}

TEST_CASE("what holds a workload back comes before what the scheduler would say") {
  Explanation answer{.ns = "ml", .name = "train"};
  answer.is_blocked = false;
  answer.summary = "it would start: it fits on 2 nodes";
  add_queue_opinion(answer, opinion(with_queue({quota("h100", 2, 2)}), plan(1, 2)));
  CHECK(answer.is_blocked);
  CHECK(answer.code == Code::held_by_queue);
  CHECK(answer.summary ==
        "Kueue would hold it back: insufficient unused quota for nvidia.com/gpu in flavor h100, 2 "
        "more needed");
  CHECK(answer.remarks.at(0).text ==
        "of ClusterQueue cq, 2 of 2 nvidia.com/gpu in flavor h100 are reserved");
  CHECK(answer.remarks.at(1).text == "once it is admitted: it would start: it fits on 2 nodes");
  CHECK_FALSE(answer.advice.empty());
}

TEST_CASE("only the flavors of what is asked for are looked at") {
  Snapshot snapshot = with_queue({quota("gpus", 8, 0)});
  ClusterQueue& queue = snapshot.scheduling.cluster_queues[0];
  queue.quotas.push_back({.flavor = "cpus",
                          .resource = "cpu",
                          .nominal = Quantity::of(8),
                          .borrowing_limit = {},
                          .lending_limit = {},
                          .reserved = Quantity{}});
  snapshot.scheduling.resource_flavors[0].node_taints = {{.key = "gpu", .effect = "NoSchedule"}};
  QueuedWorkload launcher = plan(1, 1);
  launcher.pod_sets[0].requests = {{"cpu", Quantity::of(1)}};
  CHECK(held(snapshot, launcher).empty());
  launcher.pod_sets[0].requests.set(kGpu, Quantity{});
  CHECK_FALSE(held(snapshot, launcher).empty());
}

TEST_CASE("Kueue sends pods to the nodes of their flavors") {
  Snapshot snapshot = with_queue({quota("h100", 8, 8), quota("a100", 8, 0)});
  snapshot.scheduling.resource_flavors[1].tolerations = {{.key = "spot", .op = "Exists"}};
  const QueueOpinion told = opinion(snapshot, plan(1, 1));
  REQUIRE(told.given.size() == 1);
  CHECK(told.given[0].node_selector == StringMap{{"gpu", "a100"}});
  CHECK(told.given[0].tolerations.size() == 1);
  CHECK(told.given[0].flavors == std::vector<std::string>{"a100"});
  // Of what is held back only where one flavor alone serves it.
  const QueueOpinion much = opinion(snapshot, plan(1, 20));
  REQUIRE(much.hold);
  CHECK(much.given.at(0).flavors.empty());
  QueuedWorkload selecting = plan(1, 20);
  selecting.pod_sets[0].node_selector = {{"gpu", "h100"}};
  CHECK(opinion(snapshot, selecting).given.at(0).flavors == std::vector<std::string>{"h100"});
}

TEST_CASE("workloads alike are admitted up to the first that is held back") {
  const Snapshot snapshot = with_queue({quota("h100", 8, 1)});
  const QueueOpinion some = each_queue_opinion(Cluster(snapshot), plan(1, 2), 100);
  REQUIRE(some.hold);
  CHECK(some.admitted == 3);
  CHECK(some.takes == QueueTaken{{{"cq", "h100", kGpu}, 6}});
  CHECK(some.hold->reason ==
        "insufficient unused quota for nvidia.com/gpu in flavor h100, 1 more needed");
  const QueueOpinion all = each_queue_opinion(Cluster(snapshot), plan(1, 2), 3);
  CHECK_FALSE(all.hold);
  CHECK(all.admitted == 3);
}

TEST_CASE("of several sets of pods the one that is held back is named") {
  const Snapshot snapshot = with_queue({quota("h100", 8, 0)});
  QueuedWorkload two = plan(1, 1);
  two.pod_sets.push_back(two.pod_sets[0]);
  two.pod_sets[1].name = "Worker";
  two.pod_sets[1].node_selector = {{"gpu", "b200"}};
  CHECK(held(snapshot, two) == "Worker: flavor h100 doesn't match node affinity");
}

TEST_CASE("in a circle of cohorts nothing is admitted") {
  Snapshot snapshot = with_queue({quota("h100", 8, 0)});
  snapshot.scheduling.cluster_queues[0].cohort = "a";
  snapshot.scheduling.cohorts = {{.name = "a", .parent = "b", .quotas = {}},
                                 {.name = "b", .parent = "a", .quotas = {}}};
  CHECK(held(snapshot, plan(1, 1)) ==
        "cohort a of ClusterQueue cq is above itself, and Kueue admits nothing there");
}

TEST_CASE("a namespace that is made with what is planned may be let in or not") {
  Snapshot snapshot = with_queue({quota("h100", 8, 0)});
  snapshot.scheduling.namespaces.clear();
  CHECK(held(snapshot, plan(1, 1)).empty());
  CHECK(opinion(snapshot, plan(1, 1)).not_checked.at(0) ==
        "of ClusterQueue cq, whether it is open to this namespace");
}

}  // namespace kueue_forecast_test
