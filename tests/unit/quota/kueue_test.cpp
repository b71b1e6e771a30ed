#include <catch2/catch.hpp>
#include <map>
#include <utility>

#include "quota/world.hpp"

namespace gpu::quota::quota_kueue_test {
namespace {

using make::admitted;
using make::cluster_queue;
using make::local_queue;
using make::quota_snapshot;
using make::row_of;
using make::workload;

Node h100(std::string name, std::int64_t gpus) {
  Node made = make::node(std::move(name), gpus);
  made.labels.set("pool", "h100");
  return made;
}

ResourceFlavor flavor(std::string name, std::string_view pool) {
  ResourceFlavor made{.name = std::move(name)};
  made.node_labels.set("pool", std::string(pool));
  return made;
}

Snapshot cohort_of(std::vector<ClusterQueue> queues) {
  Snapshot snapshot = quota_snapshot({h100("a", 16)});
  snapshot.scheduling.cluster_queues = std::move(queues);
  snapshot.scheduling.resource_flavors.push_back(flavor("h100", "h100"));
  return snapshot;
}

TEST_CASE("a queue borrows, and the only one that can lend it lends") {
  ClusterQueue keeps = cluster_queue("keeps", "all", 4, 0);
  keeps.quotas.front().lending_limit = Quantity{};
  const QuotaAnswer answer = quota_answer(
      cohort_of({cluster_queue("a", "all", 8, 12), cluster_queue("b", "all", 8, 1), keeps}), {});
  CHECK(row_of(answer, "a").borrowed == Quantity::of(4));
  CHECK(row_of(answer, "a").lent == Quantity{});
  CHECK(row_of(answer, "b").lent == Quantity::of(4));
  CHECK(row_of(answer, "b").free == Quantity::of(3));
  CHECK(row_of(answer, "keeps").lent == Quantity{});
  const QuotaRow& all = row_of(answer, "all");
  CHECK(all.limiter == Limiter::cohort);
  CHECK(all.limit == Quantity::of(20));
  CHECK(all.used == Quantity::of(13));
  CHECK(all.borrowed == Quantity::of(4));
}

TEST_CASE("which of two lends is not known") {
  const QuotaAnswer answer =
      quota_answer(cohort_of({cluster_queue("a", "all", 8, 12), cluster_queue("b", "all", 8, 0),
                              cluster_queue("c", "all", 8, 0)}),
                   {});
  CHECK_FALSE(row_of(answer, "b").lent);
  CHECK_FALSE(row_of(answer, "c").lent);
}

TEST_CASE("all lend where all is borrowed") {
  const QuotaAnswer answer =
      quota_answer(cohort_of({cluster_queue("a", "all", 0, 8), cluster_queue("b", "all", 4, 0),
                              cluster_queue("c", "all", 4, 0)}),
                   {});
  CHECK(row_of(answer, "b").lent == Quantity::of(4));
  CHECK(row_of(answer, "c").lent == Quantity::of(4));
  CHECK(row_of(answer, "a").state == State::full);
}

TEST_CASE("a cohort's own quota may be what is borrowed") {
  Snapshot snapshot =
      cohort_of({cluster_queue("a", "all", 8, 10), cluster_queue("b", "all", 8, 0)});
  Cohort own{.name = "all"};
  own.quotas.push_back(
      {.flavor = "h100", .resource = "nvidia.com/gpu", .nominal = Quantity::of(4)});
  snapshot.scheduling.cohorts.push_back(own);
  const QuotaAnswer answer = quota_answer(snapshot, {});
  CHECK_FALSE(row_of(answer, "b").lent);
  CHECK(row_of(answer, "all").limit == Quantity::of(20));
}

TEST_CASE("workloads are counted by queue as Kueue does") {
  Snapshot snapshot = cohort_of({cluster_queue("q", "", 8, 4)});
  SchedulingFacts& facts = snapshot.scheduling;
  facts.local_queues = {local_queue("main", "q"), local_queue("stopped", "q")};
  facts.local_queues.back().stop_policy = "Hold";
  QueuedWorkload finished = admitted(workload("done", "main", 3), "q");
  finished.conditions.push_back({.type = "Finished", .status = "True"});
  QueuedWorkload off = workload("off", "main", 1);
  off.is_active = false;
  facts.workloads = {admitted(workload("runs", "main", 4), "q"), finished, off,
                     workload("waits", "main", 2), workload("kept", "stopped", 1)};
  const QuotaAnswer answer = quota_answer(snapshot, {});
  const QuotaRow& row = row_of(answer, "q");
  CHECK(row.counted.used == Quantity::of(4));
  CHECK(row.counted.admitted == Quantity::of(4));
  CHECK(row.counted.reserving == 1);
  CHECK(row.counted.running == 1);
  CHECK(row.counted.pending == 1);  // a stopped LocalQueue keeps its own to itself
  CHECK(row.waiting == 2);
  CHECK(row.waiting_units == Quantity::of(3));
  CHECK(row_of(answer, "main").counted.pending == 1);
  CHECK(row_of(answer, "stopped").state == State::stopped);
  CHECK(row_of(answer, "stopped").free == Quantity{});
  REQUIRE(answer.waits.size() == 1);
  CHECK(answer.waits.front().waiting.size() == 2);
  REQUIRE(answer.waits.front().holders.size() == 1);
  CHECK(answer.waits.front().holders.front().name == "runs");
}

TEST_CASE("a workload waits in one flavor's row: the first that its pods may use") {
  ClusterQueue queue = cluster_queue("q", "all", 8, 0);
  queue.quotas.push_back(
      {.flavor = "l4", .resource = "nvidia.com/gpu", .nominal = Quantity::of(4)});
  Snapshot snapshot = cohort_of({queue});
  SchedulingFacts& facts = snapshot.scheduling;
  facts.resource_flavors.push_back(flavor("l4", "l4"));
  facts.local_queues = {local_queue("main", "q")};
  QueuedWorkload selects = workload("selects", "main", 2);
  selects.pod_sets.front().node_selector.set("pool", "l4");
  QueuedWorkload two = workload("two", "main", 1);
  two.pod_sets.push_back(selects.pod_sets.front());
  QueuedWorkload nowhere = workload("nowhere", "main", 1);
  nowhere.pod_sets.front().node_selector.set("pool", "b200");
  facts.workloads = {workload("any", "main", 4), selects, two, nowhere};
  const QuotaAnswer answer = quota_answer(snapshot, {});
  std::map<std::pair<std::string, std::string>, std::pair<std::int64_t, Quantity>> waiting;
  for (const QuotaRow& row : answer.rows)
    waiting[{row.name, row.flavor}] = {row.waiting.value_or(-1), row.waiting_units.value()};
  for (const char* const name : {"q", "all", "main"}) {
    CAPTURE(name);
    CHECK(waiting[{name, "h100"}] == std::pair(std::int64_t{3}, Quantity::of(8)));
    CHECK(waiting[{name, "l4"}] == std::pair(std::int64_t{1}, Quantity::of(2)));
  }
}

TEST_CASE("a stopped queue says why") {
  ClusterQueue drains = cluster_queue("drains", "", 8, 0);
  drains.stop_policy = "HoldAndDrain";
  ClusterQueue off = cluster_queue("off", "", 8, 0);
  off.conditions.push_back({.type = "Active", .status = "False"});
  Snapshot snapshot = cohort_of({drains, off});
  snapshot.scheduling.local_queues = {local_queue("main", "drains")};
  const QuotaAnswer answer = quota_answer(snapshot, {});
  CHECK(row_of(answer, "drains").stop == "HoldAndDrain");
  CHECK(row_of(answer, "off").stop == "Inactive");
  CHECK(row_of(answer, "main").state == State::stopped);
  CHECK(row_of(answer, "main").stop.empty());
}

TEST_CASE("without all workloads nothing is counted") {
  Snapshot snapshot = cohort_of({cluster_queue("q", "", 8, 4)});
  snapshot.scheduling.coverages["workloads"] = Coverage::partial;
  const QuotaAnswer answer = quota_answer(snapshot, {});
  CHECK_FALSE(row_of(answer, "q").counted.used);
  CHECK_FALSE(row_of(answer, "q").waiting);
  CHECK(row_of(answer, "q").used == Quantity::of(4));
  CHECK(answer.unseen == std::vector<std::string>{"workloads"});
}

TEST_CASE("flavors that give nothing that exists now") {
  Snapshot snapshot = cohort_of({cluster_queue("q", "", 8, 0)});
  FlavorQuota& quota = snapshot.scheduling.cluster_queues.front().quotas.front();
  snapshot.scheduling.resource_flavors = {flavor("h100", "gone")};
  CHECK(row_of(quota_answer(snapshot, {}), "q").problem == Problem::flavor_without_nodes);
  quota.resource = "amd.com/gpu";
  CHECK(row_of(quota_answer(snapshot, {}), "q").problem == Problem::not_advertised);
  quota.flavor = "missing";
  CHECK(row_of(quota_answer(snapshot, {}), "q").problem == Problem::no_such_flavor);
  CHECK(row_of(quota_answer(snapshot, {}), "q").state == State::no_effect);
  snapshot.scheduling.coverages["resourceflavors"] = Coverage::none;
  CHECK(row_of(quota_answer(snapshot, {}), "q").problem == Problem::none);
}

TEST_CASE("a flavor's nodes that have no such resource") {
  Snapshot snapshot = cohort_of({cluster_queue("q", "", 8, 0)});
  Node plain = make::node("plain", 0);
  plain.labels.set("pool", "plain");
  snapshot.nodes.push_back(plain);
  snapshot.scheduling.resource_flavors = {flavor("h100", "plain")};
  CHECK(row_of(quota_answer(snapshot, {}), "q").problem == Problem::not_on_flavor);
}

TEST_CASE("what waits for a queue that does not exist is said") {
  Snapshot snapshot = cohort_of({cluster_queue("q", "", 8, 0)});
  snapshot.scheduling.local_queues = {local_queue("main", "gone")};
  snapshot.scheduling.workloads = {workload("lost", "main", 2), workload("typo", "mian", 1)};
  const QuotaAnswer answer = quota_answer(snapshot, {});
  CHECK(row_of(answer, "main").problem == Problem::no_such_cluster_queue);
  CHECK(row_of(answer, "main").waiting == 1);
  REQUIRE(answer.waits.size() == 1);
  CHECK(answer.waits.front().queue.empty());
  CHECK(answer.waits.front().waiting.size() == 2);
}

TEST_CASE("a workload without pods holds quota for nothing") {
  Snapshot snapshot = cohort_of({cluster_queue("q", "", 8, 4)});
  snapshot.scheduling.local_queues = {local_queue("main", "q")};
  snapshot.scheduling.workloads = {admitted(workload("dead", "main", 4), "q")};
  const QuotaAnswer answer = quota_answer(snapshot, {});
  REQUIRE(answer.idle.size() == 1);
  CHECK(answer.idle.front().name == "dead");
  CHECK(answer.idle.front().reason == IdleReason::no_pods);
  CHECK(answer.idle.front().units == Quantity::of(4));
  CHECK(answer.idle.front().since == std::chrono::hours{4});
  snapshot.pod_coverage = Coverage::partial;
  CHECK(quota_answer(snapshot, {}).idle.front().reason == IdleReason::not_seen);
}

TEST_CASE("cohorts in a circle have no free quota that is known") {
  Snapshot snapshot = cohort_of({cluster_queue("q", "x", 8, 4)});
  snapshot.scheduling.cohorts = {{.name = "x", .parent = "y", .quotas = {}},
                                 {.name = "y", .parent = "x", .quotas = {}}};
  const QuotaAnswer answer = quota_answer(snapshot, {});
  CHECK_FALSE(row_of(answer, "q").free);
  CHECK_FALSE(row_of(answer, "q").lent);
  CHECK(row_of(answer, "x").limit == Quantity::of(8));
  CHECK(row_of(answer, "y").limit == Quantity::of(8));
}

TEST_CASE("quotas are held against the cards of their nodes") {
  Snapshot snapshot = cohort_of({cluster_queue("a", "", 12, 0), cluster_queue("b", "", 8, 0)});
  snapshot.scheduling.quotas.push_back(
      make::resource_quota("one", "requests.nvidia.com/gpu", 12, 0));
  snapshot.scheduling.quotas.push_back(
      make::resource_quota("two", "requests.nvidia.com/gpu", 10, 0));
  ResourceQuota scoped = make::resource_quota("high", "requests.nvidia.com/gpu", 4, 0);
  scoped.ns = "vision";
  scoped.scopes.push_back({.name = "PriorityClass", .op = "In", .values = {"high"}});
  snapshot.scheduling.quotas.push_back(scoped);
  const QuotaAnswer answer = quota_answer(snapshot, {});
  REQUIRE(answer.promises.size() == 2);
  const Promise& quotas = answer.promises.front();
  CHECK(quotas.limiter == Limiter::resource_quota);
  CHECK(quotas.promised == Quantity::of(14));  // the smaller of ml's two, and vision's
  CHECK(quotas.existing == 16);
  CHECK_FALSE(is_too_much(quotas));
  const Promise& queues = answer.promises.back();
  CHECK(queues.flavor == "h100");
  CHECK(queues.promised == Quantity::of(20));
  CHECK(is_too_much(queues));
  snapshot.node_coverage = Coverage::none;
  CHECK_FALSE(is_too_much(quota_answer(snapshot, {}).promises.back()));
}

}  // namespace
}  // namespace gpu::quota::quota_kueue_test
