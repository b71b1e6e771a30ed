#include "admission/kueue/quota_holders.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace gpu::admission::kueue_quota_holders_test {
namespace {

QueuedWorkload holder(const std::string& name, std::int64_t gpus, std::string queue = "cq") {
  QueuedWorkload made{.ns = "ml", .name = name};
  made.cluster_queue = std::move(queue);
  made.pod_sets = {{"main", 2, {{"nvidia.com/gpu", Quantity::of(gpus)}}}};
  made.conditions = {{.type = "QuotaReserved", .status = "True"}};
  return made;
}

FlavorQuota quota(std::string flavor, std::int64_t nominal, std::int64_t reserved) {
  return {.flavor = std::move(flavor),
          .resource = "nvidia.com/gpu",
          .nominal = Quantity::of(nominal),
          .borrowing_limit = {},
          .lending_limit = {},
          .reserved = Quantity::of(reserved)};
}

ClusterQueue queue(std::string name, std::string cohort, std::vector<FlavorQuota> quotas) {
  ClusterQueue made{.name = std::move(name), .cohort = std::move(cohort)};
  made.quotas = std::move(quotas);
  return made;
}

using Remarks = std::vector<std::string>;

/// Of the first of `queues`.
Remarks remarks(std::vector<ClusterQueue> queues, std::vector<QueuedWorkload> workloads,
                std::string_view words = "insufficient quota for nvidia.com/gpu in flavor a") {
  Snapshot snapshot = make::cluster({});
  snapshot.scheduling.cluster_queues = std::move(queues);
  snapshot.scheduling.workloads = std::move(workloads);
  const scheduler::Cluster cluster(snapshot);
  Remarks texts;
  for (const auto& each : quota_remarks(cluster, snapshot.scheduling.cluster_queues.front(), words))
    texts.push_back(each.text);
  return texts;
}

const std::string kReserved = "of ClusterQueue cq, 8 of 8 nvidia.com/gpu in flavor a are reserved";

}  // namespace

TEST_CASE("the quota that is short and its holders are named, the biggest first") {
  const std::vector<ClusterQueue> queues{queue("cq", "", {quota("a", 8, 8), quota("b", 4, 4)})};
  QueuedWorkload owned = holder("small", 1);
  owned.owners = {{.kind = "Job", .name = "train"}};
  QueuedWorkload finished = holder("finished", 9);
  finished.conditions.push_back({.type = "Finished", .status = "True"});
  QueuedWorkload waiting = holder("waiting", 9);
  waiting.conditions.clear();
  CHECK(remarks(queues, {owned, holder("big", 3), finished, waiting, holder("none", 0),
                         holder("elsewhere", 9, "gone")}) ==
        Remarks{kReserved, "quota there is held by ml/big (6), ml/train (2)"});
  CHECK(remarks(queues, {}) == Remarks{kReserved});
}

TEST_CASE("five holders are named, further ones counted") {
  const std::vector<ClusterQueue> queues{queue("cq", "", {quota("a", 8, 8)})};
  std::vector<QueuedWorkload> workloads;
  for (const char* name : {"e", "d", "c", "b", "a"}) workloads.push_back(holder(name, 1));
  const std::string five =
      "quota there is held by ml/a (2), ml/b (2), ml/c (2), ml/d (2), ml/e (2)";
  CHECK(remarks(queues, workloads).back() == five);
  workloads.push_back(holder("f", 1));
  CHECK(remarks(queues, workloads).back() == five + ", and 1 more");
  workloads.push_back(holder("g", 1));
  CHECK(remarks(queues, workloads).back() == five + ", and 2 more");
}

TEST_CASE("a flavor is meant where its whole name stands in Kueue's words") {
  const std::vector<ClusterQueue> queues{queue("cq", "", {quota("a", 8, 8)})};
  const std::string words = "nvidia.com/gpu in flavor a";
  for (const char* end : {"", ",", " x", "."})
    CHECK(remarks(queues, {}, words + end) == Remarks{kReserved});
  for (const char* end : {"-large", "1"}) CHECK(remarks(queues, {}, words + end).empty());
  CHECK(remarks(queues, {}, "cpu in flavor a").empty());
}

TEST_CASE("queues of the cohort that borrowed are named, and hold quota too") {
  const ClusterQueue own = queue("cq", "team", {quota("a", 8, 8)});
  const std::vector<ClusterQueue> queues{
      own, queue("borrower", "team", {quota("b", 1, 2), quota("a", 4, 6)}),
      queue("modest", "team", {quota("a", 4, 4)}), queue("other", "else", {quota("a", 4, 6)})};
  CHECK(remarks(queues, {holder("x", 1, "borrower"), holder("y", 1, "other")}) ==
        Remarks{kReserved,
                "ClusterQueue borrower of the same cohort has borrowed: 6 are reserved there, and "
                "4 are its own",
                "quota there is held by ml/x (2, by ClusterQueue borrower)"});
}

}  // namespace gpu::admission::kueue_quota_holders_test
