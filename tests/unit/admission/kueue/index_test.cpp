#include "admission/kueue/index.hpp"

#include <catch2/catch.hpp>

#include "scheduler/cycle/judge_make.hpp"

namespace gpu::admission::kueue_index_test {
namespace {

using namespace std::chrono_literals;

QueuedWorkload workload(const std::string& name, std::chrono::seconds created) {
  QueuedWorkload made{.ns = "ml", .name = name, .uid = "uid-" + name, .created = Time(created)};
  made.queue = "q";
  return made;
}

Snapshot with(std::vector<QueuedWorkload> workloads) {
  Snapshot snapshot = make::cluster({});
  snapshot.scheduling.workloads = std::move(workloads);
  snapshot.scheduling.local_queues = {{.ns = "ml", .name = "q", .cluster_queue = "cq"}};
  snapshot.scheduling.cluster_queues = {{.name = "cq", .strategy = "StrictFIFO"}};
  return snapshot;
}

/// Who stands before the last of the snapshot's workloads.
std::string head(const Snapshot& snapshot) {
  const scheduler::Cluster cluster(snapshot);
  const QueuedWorkload* const found =
      KueueIndex(cluster).head_before(snapshot.scheduling.workloads.back());
  return found == nullptr ? "nobody" : found->name;
}

QueuedWorkload with_condition(QueuedWorkload workload, const Condition& condition) {
  workload.conditions = {condition};
  return workload;
}

}  // namespace

TEST_CASE("the first of a StrictFIFO queue has the highest priority, then the highest age") {
  const QueuedWorkload last = workload("last", 50s);
  CHECK(head(with({workload("b", 20s), workload("a", 10s), last})) == "a");
  CHECK(head(with({workload("b", 60s), last})) == "nobody");
  CHECK(head(with({last})) == "nobody");
  QueuedWorkload urgent = workload("urgent", 60s);
  urgent.priority = 1;
  CHECK(head(with({workload("a", 10s), urgent, last})) == "urgent");
  CHECK(head(with({workload("z", 50s), last})) == "nobody");
  CHECK(head(with({workload("a", 50s), last})) == "a");
}

TEST_CASE("who is admitted, finished, stopped or of another namespace stands before nobody") {
  const QueuedWorkload last = workload("last", 50s);
  const QueuedWorkload first = workload("first", 10s);
  for (const char* type : {"QuotaReserved", "Finished"})
    CHECK(head(with({with_condition(first, {.type = type, .status = "True"}), last})) == "nobody");
  CHECK(head(with({with_condition(first, {.type = "QuotaReserved", .status = "False"}), last})) ==
        "first");
  Condition elsewhere{.type = "QuotaReserved", .status = "False"};
  elsewhere.message = "Workload namespace doesn't match ClusterQueue selector";
  CHECK(head(with({with_condition(first, elsewhere), last})) == "nobody");
  QueuedWorkload inactive = first;
  inactive.is_active = false;
  CHECK(head(with({inactive, last})) == "nobody");
  Snapshot stopped = with({first, last});
  stopped.scheduling.local_queues.front().stop_policy = "Hold";
  CHECK(head(stopped) == "nobody");
}

TEST_CASE("only a StrictFIFO queue that is there holds anybody back") {
  const std::vector<QueuedWorkload> both{workload("first", 10s), workload("last", 50s)};
  Snapshot loose = with(both);
  loose.scheduling.cluster_queues.front().strategy = "BestEffortFIFO";
  CHECK(head(loose) == "nobody");
  Snapshot gone = with(both);
  gone.scheduling.cluster_queues.clear();
  CHECK(head(gone) == "nobody");
  gone = with(both);
  gone.scheduling.local_queues.clear();
  CHECK(head(gone) == "nobody");
}

TEST_CASE("Hold and HoldAndDrain stop a queue") {
  CHECK(is_stopped("Hold"));
  CHECK(is_stopped("HoldAndDrain"));
  CHECK_FALSE(is_stopped("None"));
  CHECK_FALSE(is_stopped(""));
}

TEST_CASE("a Workload is found by its owner's uid, or by name where a uid is missing") {
  QueuedWorkload known = workload("known", 1s);
  known.owners = {{.kind = "Job", .name = "train", .uid = "u1"}};
  QueuedWorkload bare = workload("bare", 1s);
  bare.owners = {{.kind = "Job", .name = "eval"}};
  const Snapshot snapshot = with({known, bare});
  const scheduler::Cluster cluster(snapshot);
  const KueueIndex index(cluster);
  const auto of = [&](std::string_view kind, std::string_view name, std::string_view uid) {
    const QueuedWorkload* const found = index.workload_of("ml", kind, name, uid);
    return found == nullptr ? "none" : found->name;
  };
  CHECK(of("Job", "train", "u1") == "known");
  CHECK(of("Job", "renamed", "u1") == "known");
  CHECK(of("Job", "train", "") == "known");
  CHECK(of("Job", "train", "u2") == "none");
  CHECK(of("Job", "eval", "u2") == "bare");
  CHECK(of("Job", "eval", "u1") == "known");
  CHECK(of("Pod", "train", "") == "none");
  CHECK(index.workload_of("other", "Job", "train", "u1") == nullptr);
  CHECK(index.workload_with("uid-bare")->name == "bare");
  CHECK(index.workload_with("") == nullptr);
}

TEST_CASE("queues of one tree of cohorts share quota") {
  Snapshot snapshot = with({});
  snapshot.scheduling.cluster_queues = {{.name = "a", .cohort = "team"},
                                        {.name = "b", .cohort = "team"},
                                        {.name = "c", .cohort = "other"},
                                        {.name = "d"},
                                        {.name = "e"}};
  const scheduler::Cluster cluster(snapshot);
  const KueueIndex index(cluster);
  const auto& queues = snapshot.scheduling.cluster_queues;
  CHECK(index.share_quota(queues[0], queues[1]));
  CHECK_FALSE(index.share_quota(queues[0], queues[2]));
  CHECK(index.share_quota(queues[3], queues[3]));
  CHECK_FALSE(index.share_quota(queues[3], queues[4]));
  CHECK_FALSE(index.share_quota(queues[0], {.name = "unknown", .cohort = "team"}));
}

}  // namespace gpu::admission::kueue_index_test
