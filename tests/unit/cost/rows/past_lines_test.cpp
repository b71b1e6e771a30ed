#include "cost/rows/past_lines.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "cost/held/past_held.hpp"
#include "cost/ledger/make_ledger.hpp"
#include "cost/rows/cost_row.hpp"
#include "cost/rows/job_rows.hpp"

namespace rows_past_lines_test {

using namespace gpu;
using std::chrono::hours;
using std::chrono::seconds;

namespace {

using gpu::cost::CostLine;
using gpu::cost::CostRow;
using gpu::cost::Evidence;

const Time kNow = *parse_time("2026-11-08T00:00:00Z");
const Time kFrom = kNow - hours(24 * 7);

PastPod past(std::string name, std::string node, std::int64_t gpus, Time scheduled, Time ended) {
  PastPod pod{.ns = "ml", .name = name, .uid = "uid-" + name, .node = std::move(node)};
  pod.requests.set("nvidia.com/gpu", Quantity::of(gpus));
  pod.scheduled = scheduled;
  pod.ended = ended;
  return pod;
}

PastPod owned(PastPod pod, std::vector<OwnerReference> owners) {
  pod.owners = std::move(owners);
  return pod;
}

OwnerReference of(const std::string& kind, const std::string& name) {
  return {.kind = kind, .name = name, .uid = {}, .api_version = {}, .controller = true};
}

Node h100(const std::string& name) {
  return make::of_type(make::node(name, 8), "p5.48xlarge", "NVIDIA-H100-80GB-HBM3");
}

/// A cluster of one node, with a history, and its lines.
struct Lines {
  explicit Lines(std::vector<PastPod> pods, std::vector<Node> gone = {},
                 const std::vector<Pod>& listed = {}, Coverage coverage = Coverage::whole)
      : priced(snapshot(std::move(pods), std::move(gone), listed, coverage)),
        ledger(priced.snapshot.history, {}, {}),
        all(cost::cost_lines(priced.ledger, priced.snapshot, kNow, kFrom)) {
    for (CostLine& line : cost::past_lines(priced.ledger, ledger, priced.snapshot, kNow, kFrom))
      all.push_back(std::move(line));
  }
  static Snapshot snapshot(std::vector<PastPod> pods, std::vector<Node> gone,
                           const std::vector<Pod>& listed, Coverage coverage) {
    Snapshot snapshot = make::snapshot({h100("gpu-1")}, listed);
    snapshot.history = {.window = hours(24 * 7),
                        .coverage = coverage,
                        .pods = std::move(pods),
                        .nodes = std::move(gone)};
    return snapshot;
  }
  [[nodiscard]] std::vector<CostRow> owners() const {
    return cost::owner_rows(all, priced.snapshot, kNow, kFrom);
  }

  make::Priced priced;
  cost::PastLedger ledger;
  std::vector<CostLine> all;
};

TEST_CASE("A pod that is gone costs what its node costs now") {
  const Lines lines({past("a", "gpu-1", 2, kNow - hours(30), kNow - hours(20))});
  REQUIRE(lines.all.size() == 1);
  const CostLine& line = lines.all.front();
  CHECK(line.held_for == hours(10));
  CHECK(line.total == Money{10 * 2 * (55'040'000'000 / 8)});
  CHECK(line.card_hours == 20);
  CHECK_FALSE(line.holds_now);
  CHECK(line.owner.kind == "Pod");
  CHECK_FALSE(line.started_for);
}

TEST_CASE("A pod that is gone has no rate, and leaves that of others in its namespace as it is") {
  const PastPod gone = past("a", "gpu-1", 2, kNow - hours(30), kNow - hours(20));
  const auto alone = cost::demand_rows(Lines({gone}).all, cost::GroupBy::pod);
  REQUIRE(alone.size() == 1);
  CHECK_FALSE(alone.front().rate.value());
  const Lines lines({gone}, {}, {make::pod("b", "gpu-1", 1)});
  const auto rows = cost::demand_rows(lines.all, cost::GroupBy::ns);
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().rate.value()->total() == Money{6'880'000'000});
  CHECK(rows.front().finished_pods == 1);
}

TEST_CASE("Sums of namespaces, labels and owners are lower bounds where pods may be missing") {
  const auto evidence = [](CostRow row, Coverage coverage, std::vector<PastPod> pods = {}) {
    doubt_sum(row, {.coverage = coverage, .pods = std::move(pods)});
    return row.evidence;
  };
  const CostRow space{.ns = "ml"};
  CHECK(evidence(space, Coverage::whole) == Evidence::exact);
  CHECK(evidence(space, Coverage::partial) == Evidence::lower_bound);
  const CostRow label{.name = "red"};
  CHECK(evidence(label, Coverage::whole) == Evidence::exact);
  CHECK(evidence(label, Coverage::whole, {PastPod{}}) == Evidence::lower_bound);
  const CostRow pod{.ns = "ml", .name = "a"};
  CHECK(evidence(pod, Coverage::partial) == Evidence::exact);
  const CostRow listed{.ns = "ml", .name = "a", .kind = "Job"};
  CHECK(evidence(listed, Coverage::partial) == Evidence::exact);
  const CostRow gone{.ns = "ml", .name = "a", .kind = "Job", .evidence = Evidence::history};
  CHECK(evidence(gone, Coverage::partial) == Evidence::lower_bound);
  CHECK(evidence(gone, Coverage::whole) == Evidence::history);
  const CostRow node{.name = "gpu-1", .nodes = 1};
  CHECK(evidence(node, Coverage::none) == Evidence::exact);
}

TEST_CASE("On a node that is gone it costs what metrics say that the node was") {
  Node gone = make::of_type(make::node("old", 1), "g5.xlarge", "NVIDIA-A10G");
  gone.conditions.clear();
  const Lines lines({past("a", "old", 1, kNow - hours(30), kNow - hours(20))}, {gone});
  REQUIRE(lines.all.size() == 1);
  CHECK(lines.all.front().total == Money{10'060'000'000});
}

TEST_CASE("On a node of which nothing is known, what it cost is not known") {
  Node bare;
  bare.name = "old";
  for (const auto& nodes : {std::vector<Node>{}, std::vector<Node>{bare}}) {
    const Lines lines({past("a", "old", 1, kNow - hours(30), kNow - hours(20))}, nodes);
    REQUIRE(lines.all.size() == 1);
    CHECK(lines.all.front().held_for == hours(10));
    CHECK_FALSE(lines.all.front().total);
    CHECK_FALSE(lines.all.front().card_hours);
  }
}

TEST_CASE("Totals are of the window alone, of listed pods and of those that are gone") {
  Pod listed = make::pod("b", "gpu-1", 1);
  listed.conditions.push_back({.type = "PodScheduled", .status = "True"});
  listed.conditions.back().last_transition = kFrom - hours(50);
  const Lines lines({past("a", "gpu-1", 1, kFrom - hours(30), kFrom + hours(2))}, {}, {listed});
  REQUIRE(lines.all.size() == 2);
  CHECK(lines.all[0].held_for == hours(24 * 7));
  CHECK(lines.all[1].held_for == hours(2));
}

TEST_CASE("A listed pod that had let go before the window is left out") {
  Pod listed = make::pod("b", "gpu-1", 1);
  listed.phase = "Succeeded";
  listed.conditions.push_back({.type = "PodScheduled", .status = "True"});
  listed.conditions.back().last_transition = kFrom - hours(50);
  listed.container_statuses.push_back({.name = "main"});
  listed.container_statuses.back().terminated = "Completed";
  listed.container_statuses.back().terminated_at = kFrom - hours(40);
  CHECK(Lines({}, {}, {listed}).all.empty());
}

TEST_CASE("Pods of one owner are one row, each counted once, and known by history") {
  const auto top = of("JobSet", "train");
  const Lines lines(
      {owned(past("a", "gpu-1", 1, kNow - hours(3), kNow - hours(2)), {of("Job", "train-0"), top}),
       owned(past("b", "gpu-1", 1, kNow - hours(2), kNow - hours(1)),
             {of("Job", "train-1"), top})});
  const auto rows = lines.owners();
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().kind == "JobSet");
  CHECK(rows.front().name == "train");
  CHECK(rows.front().finished_pods == 2);
  CHECK(rows.front().pods == 0);
  CHECK(rows.front().total.value() == Money{2 * (55'040'000'000 / 8)});
  CHECK(rows.front().evidence == Evidence::history);
}

TEST_CASE("What may not be whole is a lower bound") {
  const auto pod =
      owned(past("a", "gpu-1", 1, kNow - hours(3), kNow - hours(2)), {of("JobSet", "train")});
  CHECK(Lines({pod}, {}, {}, Coverage::partial).owners().front().evidence == Evidence::lower_bound);
  auto unseen = pod;
  unseen.end = PastEnd::unseen;
  CHECK(Lines({unseen}).owners().front().evidence == Evidence::lower_bound);
  auto timeless = pod;
  timeless.scheduled.reset();
  const auto row = Lines({timeless}).owners().front();
  CHECK(row.evidence == Evidence::lower_bound);
  CHECK_FALSE(row.total.value());
}

/// A Job of so many pods, all over.
Job job(std::int64_t pods, Time started) {
  Job job{.ns = "ml", .name = "train", .uid = "uid-train", .created = started, .started = started};
  job.completed = kNow - hours(1);
  job.succeeded = pods;
  job.requests.set("nvidia.com/gpu", Quantity::of(1));
  return job;
}

std::vector<CostRow> rows_of_job(const Job& of_it, std::vector<PastPod> pods, Coverage coverage) {
  Lines lines(std::move(pods), {}, {}, coverage);
  lines.priced.snapshot.scheduling.jobs.push_back(of_it);
  return lines.owners();
}

TEST_CASE("Pods of a Job that history tells of are not estimated again") {
  const auto pod =
      owned(past("a", "gpu-1", 1, kNow - hours(3), kNow - hours(2)), {of("Job", "train")});
  const auto rows = rows_of_job(job(1, kNow - hours(4)), {pod}, Coverage::whole);
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().total.value() == Money{6'880'000'000});
  CHECK(rows.front().missing_pods == 0);
  CHECK(rows.front().evidence == Evidence::history);
}

TEST_CASE("A Job that had more pods than are told of is a lower bound") {
  const auto pod =
      owned(past("a", "gpu-1", 1, kNow - hours(3), kNow - hours(2)), {of("Job", "train")});
  const auto rows = rows_of_job(job(3, kNow - hours(4)), {pod}, Coverage::whole);
  CHECK(rows.front().total.value() == Money{6'880'000'000});
  CHECK(rows.front().missing_pods == 2);
  CHECK(rows.front().evidence == Evidence::lower_bound);
}

TEST_CASE("Pods of an earlier Job of the name are not those of this one") {
  const auto pod =
      owned(past("a", "gpu-1", 1, kNow - hours(30), kNow - hours(28)), {of("Job", "train")});
  const auto rows = rows_of_job(job(1, kNow - hours(4)), {pod}, Coverage::whole);
  CHECK(rows.front().missing_pods == 1);
}

TEST_CASE("Of a Job that began before the window, pods that are not told of were before it") {
  const auto pod =
      owned(past("a", "gpu-1", 1, kNow - hours(3), kNow - hours(2)), {of("Job", "train")});
  const auto rows = rows_of_job(job(9, kFrom - hours(50)), {pod}, Coverage::whole);
  CHECK(rows.front().total.value() == Money{6'880'000'000});
  CHECK(rows.front().missing_pods == 0);
  CHECK(rows.front().evidence == Evidence::history);
}

TEST_CASE("Without history a Job in the window is estimated, one that began before it is not") {
  const auto inside = rows_of_job(job(2, kNow - hours(3)), {}, Coverage::none);
  REQUIRE(inside.size() == 1);
  CHECK(inside.front().evidence == Evidence::estimated);
  CHECK(inside.front().missing_pods == 2);
  const auto before = rows_of_job(job(2, kFrom - hours(3)), {}, Coverage::none);
  CHECK(before.front().evidence == Evidence::lower_bound);
}

TEST_CASE("A Job that was over before the window is no row") {
  Job over = job(2, kFrom - hours(30));
  over.completed = kFrom - hours(20);
  CHECK(rows_of_job(over, {}, Coverage::whole).empty());
}

TEST_CASE("What ends before it begins is marked, and of hours nothing follows") {
  const Time since = kNow - hours(2);
  const cost::Held skewed = cost::held_of(past("a", "gpu-1", 1, since, since - seconds(90)));
  CHECK(cost::held_seconds(skewed, kNow) == seconds(0));
  CHECK(skewed.has_clock_skew);
  const cost::Held odd = cost::held_of(past("a", "gpu-1", 1, since, since - hours(1)));
  CHECK_FALSE(cost::held_seconds(odd, kNow));
}

}  // namespace

}  // namespace rows_past_lines_test
