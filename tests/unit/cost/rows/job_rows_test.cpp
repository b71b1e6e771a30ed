#include "cost/rows/job_rows.hpp"

#include <catch2/catch.hpp>

#include "cost/ledger/make_ledger.hpp"

namespace gpu::cost::rows_job_rows_test {
namespace {

using std::chrono::hours;

Time at(int hour) { return Time{hours(100'000 + hour)}; }

/// A pod of the Job that held one GPU of node "a" from `since` to `until`.
Pod pod_of_job(const std::string& name, int since, int until, const std::string& phase) {
  Pod pod = make::pod(name, "a", 1);
  pod.owners.push_back({.kind = "Job",
                        .name = "train",
                        .uid = "job-1",
                        .api_version = "batch/v1",
                        .controller = true});
  pod.phase = phase;
  pod.created = at(since);
  pod.conditions.push_back(
      {.type = "PodScheduled", .status = "True", .last_transition = at(since)});
  pod.container_statuses.push_back(
      {.name = "main", .terminated = phase == "Running" ? "" : "Completed"});
  ContainerResourceStatus& status = pod.container_statuses.back();
  if (phase == "Running") {
    status.running_since = at(since);
  } else {
    status.started_at = at(since);
    status.terminated_at = at(until);
  }
  return pod;
}

Job job(std::int64_t active, std::int64_t succeeded, std::int64_t failed) {
  Job job{.ns = "ml", .name = "train", .uid = "job-1"};
  job.created = job.started = at(0);
  job.active = active;
  job.succeeded = succeeded;
  job.failed = failed;
  job.requests.set("nvidia.com/gpu", Quantity::of(1));
  return job;
}

/// A cluster of one V100 at 3.06 $ an hour.
Snapshot cluster(const std::vector<Pod>& pods, std::vector<Job> jobs) {
  Snapshot snapshot = make::snapshot({make::of_type(make::node("a", 1), "p3.2xlarge")}, pods);
  snapshot.scheduling.jobs = std::move(jobs);
  return snapshot;
}

std::vector<CostRow> rows_at(Snapshot snapshot, Time now) {
  const make::Priced priced(std::move(snapshot));
  return owner_rows(cost_lines(priced.ledger, priced.snapshot, now), priced.snapshot, now);
}

TEST_CASE("A retry of two hours and a success of three cost five hours") {
  const auto rows = rows_at(
      cluster({pod_of_job("train-a", 0, 2, "Failed"), pod_of_job("train-b", 2, 5, "Succeeded")},
              {job(0, 1, 1)}),
      at(9));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].kind == "Job");
  CHECK(rows[0].name == "train");
  CHECK(rows[0].total.value() == Money{15'300'000'000});
  CHECK(rows[0].lost.value() == Money{6'120'000'000});
  CHECK(rows[0].card_hours.value() == Approx(5));
  CHECK(rows[0].evidence == Evidence::exact);
  CHECK(rows[0].rate.value()->total() == Money{});
  CHECK(rows[0].finished_pods == 2);
}

TEST_CASE("Pods that a Job has counted and that are gone cost what the others did") {
  const auto rows =
      rows_at(cluster({pod_of_job("train-b", 2, 5, "Succeeded")}, {job(0, 1, 2)}), at(9));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].missing_pods == 2);
  CHECK(rows[0].evidence == Evidence::estimated);
  CHECK(rows[0].card_hours.value() == Approx(9));
  CHECK(rows[0].total.value() == Money{27'540'000'000});
}

TEST_CASE("A Job of which no pod is left held GPUs at no price that is known") {
  const auto rows = rows_at(cluster({}, {job(0, 1, 0)}), at(9));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].evidence == Evidence::estimated);
  CHECK_FALSE(rows[0].total.value());
  CHECK(rows[0].card_hours.value() == Approx(9));
}

TEST_CASE("Slices of a Job of which no pod is left are of no size that is known") {
  Job sliced = job(0, 1, 0);
  sliced.requests = {};
  sliced.requests.set("nvidia.com/mig-1g.10gb", Quantity::of(1));
  const auto rows = rows_at(cluster({}, {sliced}), at(9));
  REQUIRE(rows.size() == 1);
  CHECK_FALSE(rows[0].card_hours.value());
  CHECK(rows[0].held_for.value() == hours(9));
}

TEST_CASE("A Job that was resumed has cost what is seen at least") {
  Job resumed = job(1, 0, 0);
  resumed.was_suspended = true;
  resumed.generation = 3;
  const auto rows = rows_at(cluster({pod_of_job("train-b", 2, 5, "Running")}, {resumed}), at(4));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].evidence == Evidence::lower_bound);
  CHECK(rows[0].may_have_more_pods);
  CHECK(rows[0].total.value() == Money{6'120'000'000});
}

TEST_CASE("Pods of a Job that is gone, or was made anew, are what is left of them") {
  Job anew = job(0, 0, 0);
  anew.uid = "job-2";
  for (const auto& jobs : {std::vector<Job>{}, std::vector<Job>{anew}}) {
    const auto rows = rows_at(cluster({pod_of_job("train-b", 2, 5, "Running")}, jobs), at(4));
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].evidence == Evidence::lower_bound);
    CHECK(rows[0].total.value() == Money{6'120'000'000});
  }
}

TEST_CASE("Times of a Job that contradict each other say nothing of its pods that are gone") {
  Job odd = job(0, 1, 0);
  odd.completed = at(-1);
  const auto rows = rows_at(cluster({}, {odd}), at(9));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].has_odd_times);
  CHECK(rows[0].evidence == Evidence::no_record);
  CHECK_FALSE(rows[0].card_hours.value());
}

TEST_CASE("Pods that are older than their node are estimated by what it costs") {
  Snapshot snapshot = cluster({pod_of_job("train-a", 0, 6, "Succeeded")}, {job(0, 2, 0)});
  snapshot.nodes[0].created = at(4);
  const auto rows = rows_at(std::move(snapshot), at(9));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].is_since_node);
  CHECK(rows[0].evidence == Evidence::lower_bound);
  CHECK(rows[0].card_hours.value() == Approx(4));  // two hours, and as many of the one that is gone
}

TEST_CASE("A pod that waits is no pod that is gone") {
  Pod waiting = pod_of_job("train-c", 0, 0, "Running");
  waiting.node_name.clear();
  waiting.phase = "Pending";
  waiting.conditions.clear();
  waiting.container_statuses.clear();
  const auto rows =
      rows_at(cluster({pod_of_job("train-b", 2, 5, "Running"), waiting}, {job(2, 0, 0)}), at(4));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].missing_pods == 0);
  CHECK(rows[0].evidence == Evidence::exact);
  CHECK(rows[0].total.value() == Money{6'120'000'000});
}

TEST_CASE("What an owner without a count has had is at least what is seen") {
  Pod pod = pod_of_job("serve-x", 0, 0, "Running");
  pod.owners.front() = {.kind = "PyTorchJob", .name = "ddp", .uid = "p", .controller = true};
  const auto rows = rows_at(cluster({pod}, {}), at(2));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].evidence == Evidence::lower_bound);
  CHECK(rows[0].total.value() == Money{6'120'000'000});
}

TEST_CASE("Without a time, nothing is known of what it came to") {
  const make::Priced priced(cluster({pod_of_job("train-b", 2, 5, "Running")}, {job(1, 0, 0)}));
  const auto rows = owner_rows(cost_lines(priced.ledger, priced.snapshot, std::nullopt),
                               priced.snapshot, std::nullopt);
  REQUIRE(rows.size() == 1);
  CHECK_FALSE(rows[0].total.value());
  CHECK(rows[0].rate.value()->total() == Money{3'060'000'000});
}

}  // namespace
}  // namespace gpu::cost::rows_job_rows_test
