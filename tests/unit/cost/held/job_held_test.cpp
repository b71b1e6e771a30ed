#include "cost/held/job_held.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "make.hpp"

namespace held_job_held_test {

using namespace gpu;
using gpu::cost::Held;
using gpu::cost::HeldEnd;
using gpu::cost::job_pod_of;
using gpu::cost::JobPod;
using gpu::cost::JobRecord;
using gpu::cost::record_of;
using gpu::cost::sum_of;
using std::chrono::hours;
using std::chrono::seconds;

namespace {

using Known = gpu::cost::Evidence;

const Time kStart = *parse_time("2026-11-01T00:00:00Z");
const Time kNow = kStart + hours(10);

/// Bound at the start, and over after so many hours.
JobPod done(int length, bool has_failed = false, std::int64_t gpus = 2) {
  return {.held = {.since = kStart, .until = kStart + hours(length), .end = HeldEnd::finished},
          .gpus = gpus,
          .has_failed = has_failed};
}

/// Bound so many hours ago.
JobPod runs(int length, std::int64_t gpus = 2) {
  return {.held = {.since = kNow - hours(length)}, .gpus = gpus};
}

JobPod waits() { return {.held = {.never_bound = true}, .gpus = 2}; }

/// It is over, and nothing says since when.
JobPod timeless() { return {.held = {.since = kStart, .end = HeldEnd::unknown}, .gpus = 2}; }

Job job(std::int64_t active, std::int64_t succeeded, std::int64_t failed) {
  Job job{.ns = "ml", .name = "train", .started = kStart};
  job.active = active;
  job.succeeded = succeeded;
  job.failed = failed;
  job.requests.set("nvidia.com/gpu", Quantity::of(2));
  return job;
}

std::optional<std::int64_t> gpu_hours(std::int64_t number) { return number * 3600; }

}  // namespace

TEST_CASE("a job has held what all its pods have, failed ones included") {
  struct Row {
    std::string what;
    Job job;
    std::vector<JobPod> pods;
    Known evidence;
    std::int64_t missing;
    std::optional<std::int64_t> gpu_seconds;
  };
  Job parallel = job(0, 4, 0);
  parallel.parallelism = 2;
  parallel.completed = kStart + hours(3);
  Job wide = parallel;
  wide.parallelism = 9;
  wide.completions = 4;
  Job unstarted = job(0, 1, 0);
  unstarted.started.reset();
  JobPod skewed = done(3);
  skewed.held.has_clock_skew = true;
  const std::vector<Row> rows = {
      {"a retry", job(0, 1, 1), {done(2, true), done(3)}, Known::exact, 0, gpu_hours(10)},
      {"it runs", job(2, 0, 0), {runs(1), runs(2)}, Known::exact, 0, gpu_hours(6)},
      {"it waits", job(1, 0, 0), {waits()}, Known::exact, 0, gpu_hours(0)},
      {"it has no pods yet", job(0, 0, 0), {}, Known::exact, 0, gpu_hours(0)},
      {"it has not counted its pods yet", job(0, 0, 0), {runs(1)}, Known::exact, 0, gpu_hours(2)},
      {"a pod's times are skewed", job(0, 1, 0), {skewed}, Known::estimated, 0, gpu_hours(6)},
      {"two are gone",
       job(1, 2, 2),
       {runs(1), done(2), done(4)},
       Known::estimated,
       2,
       gpu_hours(2 + 12 + 12)},
      {"two are gone, and none is over",
       job(2, 0, 2),
       {runs(1), runs(3)},
       Known::estimated,
       2,
       gpu_hours(8 + 8)},
      {"one that waits is like none",
       job(2, 0, 1),
       {waits(), runs(3)},
       Known::estimated,
       1,
       gpu_hours(6 + 6)},
      {"an end is unknown",
       job(0, 2, 0),
       {done(3), timeless()},
       Known::estimated,
       0,
       gpu_hours(12)},
      {"all are gone", parallel, {}, Known::estimated, 4, gpu_hours(2 * 3 * 2)},
      {"all are gone of more than it wants", wide, {}, Known::estimated, 4, gpu_hours(4 * 3 * 2)},
      {"all are gone of one that goes on", job(1, 0, 0), {}, Known::estimated, 1, gpu_hours(20)},
      {"nothing says when it started", unstarted, {}, Known::no_record, 1, std::nullopt},
      {"nor when its pod ended", unstarted, {timeless()}, Known::lower_bound, 0, std::nullopt},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    const JobRecord record = record_of(&row.job, row.pods, kNow);
    CHECK(record.evidence == row.evidence);
    CHECK(record.seen == static_cast<std::int64_t>(row.pods.size()));
    CHECK(record.missing == row.missing);
    CHECK(record.gpu_seconds == row.gpu_seconds);
    CHECK(record.held.has_value() == row.gpu_seconds.has_value());
  }
}

TEST_CASE("a job that may have had pods that it does not count has held the rest at least") {
  struct Row {
    std::string what;
    Job job;
    std::vector<JobPod> pods;
    Known evidence;
    std::optional<std::int64_t> gpu_seconds;
  };
  const auto made = [](Job job, std::optional<std::int64_t> generation, auto set) {
    job.generation = generation;
    set(job);
    return job;
  };
  const auto resumed = [](Job& job) { job.was_suspended = true; };
  const auto suspended = [](Job& job) { job.was_suspended = job.is_suspended = true; };
  const auto unstarted = [](Job& job) {
    job.is_suspended = true;
    job.started.reset();
  };
  const auto as_is = [](Job& /*job*/) {};
  const Job one = job(1, 0, 0);
  const Job none = job(0, 0, 0);
  const std::vector<Row> rows = {
      {"resumed", made(one, 3, resumed), {runs(1)}, Known::lower_bound, gpu_hours(2)},
      {"resumed, waits", made(one, 3, resumed), {waits()}, Known::lower_bound, std::nullopt},
      {"made suspended, and resumed", made(one, 2, resumed), {runs(1)}, Known::exact, gpu_hours(2)},
      {"no generation",
       made(one, std::nullopt, resumed),
       {runs(1)},
       Known::lower_bound,
       gpu_hours(2)},
      {"suspended later", made(none, 2, suspended), {}, Known::lower_bound, std::nullopt},
      {"it had started", made(none, std::nullopt, suspended), {}, Known::lower_bound, std::nullopt},
      {"made suspended", made(none, 1, unstarted), {}, Known::exact, gpu_hours(0)},
      {"fewer at once", made(one, 2, as_is), {runs(1)}, Known::lower_bound, gpu_hours(2)},
      {"never changed", made(one, 1, as_is), {runs(1)}, Known::exact, gpu_hours(2)},
      {"one is gone, too",
       made(job(1, 1, 0), 3, resumed),
       {runs(1)},
       Known::lower_bound,
       gpu_hours(4)},
      {"ignores failures",
       made(one, 1, [](Job& job) { job.ignores_failures = true; }),
       {runs(1)},
       Known::lower_bound,
       gpu_hours(2)},
      {"counts are unread",
       made(one, 1, [](Job& job) { job.lacks_counts = true; }),
       {runs(1)},
       Known::lower_bound,
       gpu_hours(2)},
      {"it succeeded without a pod",
       made(none, 1, [](Job& job) { job.completed = kNow; }),
       {},
       Known::lower_bound,
       std::nullopt},
      {"it failed without a pod",
       made(none, 1,
            [](Job& job) {
              job.completed = kNow;
              job.has_failed = true;
            }),
       {},
       Known::exact,
       gpu_hours(0)},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    const JobRecord record = record_of(&row.job, row.pods, kNow);
    CHECK(record.evidence == row.evidence);
    CHECK(record.may_have_more == (row.evidence == Known::lower_bound));
    CHECK(record.gpu_seconds == row.gpu_seconds);
  }
}

TEST_CASE("pods that are over and not counted yet are missing, too, where they are gone") {
  Job leaving = job(1, 0, 0);
  leaving.uncounted = 2;
  const JobRecord record = record_of(&leaving, std::vector{runs(1), done(3)}, kNow);
  CHECK(record.missing == 1);
  CHECK(record.evidence == Known::estimated);
}

TEST_CASE("nothing is estimated by times of a Job that contradict each other") {
  const auto with = [](auto set) {
    Job over = job(0, 1, 0);
    over.created = kStart;
    over.completed = kStart + hours(3);
    set(over);
    return over;
  };
  const std::vector<Job> odd = {
      with([](Job& job) { job.completed = kStart - hours(1); }),
      with([](Job& job) { job.created = kStart + hours(1); }),
      with([](Job& job) { job.completed = kNow + hours(1); }),
      with([](Job& job) { job.started = job.completed = kNow + hours(24 * 365 * 7000); }),
  };
  for (const Job& job : odd) {
    const JobRecord record = record_of(&job, {}, kNow);
    CHECK(record.evidence == Known::no_record);
    CHECK(record.missing == 1);
    CHECK_FALSE(record.gpu_seconds);
    CHECK(record.has_odd_times);
  }
  const Job of_year_1 = with([](Job& job) { job.started = parse_time("0001-01-01T00:00:00Z"); });
  CHECK_FALSE(record_of(&of_year_1, {}, kNow).gpu_seconds);
  const Job unread = with([](Job& job) { job.unread = "status.completionTime: no time"; });
  CHECK_FALSE(record_of(&unread, {}, kNow).gpu_seconds);
  const Job skewed = with([](Job& job) { job.created = kStart + seconds(30); });
  CHECK(record_of(&skewed, {}, kNow).gpu_seconds == gpu_hours(6));
}

TEST_CASE("a pod of the future counts like one whose times are not known") {
  const Job of_two = job(2, 0, 0);
  const JobPod future = {.held = {.since = kNow + hours(1)}, .gpus = 2};
  const JobRecord record = record_of(&of_two, std::vector{runs(1), future}, kNow);
  CHECK(record.evidence == Known::estimated);
  CHECK(record.has_odd_times);
  CHECK(record.gpu_seconds == gpu_hours(4));
}

TEST_CASE("one retry of 2 hours and a success of 3 are 5 hours, 2 of them lost") {
  const Job retried = job(0, 1, 1);
  const JobRecord record =
      record_of(&retried, std::vector{done(2, true, 1), done(3, false, 1)}, kNow);
  CHECK(record.held == hours(5));
  CHECK(record.gpu_seconds == gpu_hours(5));
  CHECK(record.lost_gpu_seconds == gpu_hours(2));
  CHECK(record.failed == 1);
}

TEST_CASE("a job that is gone with its pods has no record, not a record of 0") {
  const JobRecord record = record_of(nullptr, {}, kNow);
  CHECK(record.evidence == Known::no_record);
  CHECK_FALSE(record.held);
  CHECK_FALSE(record.gpu_seconds);
}

TEST_CASE("without the Job, its pods are the least that it has held") {
  const JobRecord record = record_of(nullptr, std::vector{done(2, true), timeless()}, kNow);
  CHECK(record.evidence == Known::lower_bound);
  CHECK(record.gpu_seconds == gpu_hours(4));
  CHECK(record.failed == 1);
}

TEST_CASE("what owns several Jobs has held what they have, and knows it as the worst does") {
  const Job whole = job(0, 1, 0);
  const Job part = job(0, 2, 0);
  const JobRecord exact = record_of(&whole, std::vector{done(3)}, kNow);
  const JobRecord estimated = record_of(&part, std::vector{done(2)}, kNow);
  const JobRecord none = record_of(nullptr, {}, kNow);
  const JobRecord both = sum_of(std::vector{exact, estimated});
  CHECK(both.evidence == Known::estimated);
  CHECK(both.gpu_seconds == gpu_hours(6 + 8));
  CHECK(both.held == hours(3 + 4));
  CHECK(both.seen == 2);
  CHECK(both.missing == 1);
  CHECK(sum_of(std::vector{exact, exact}).evidence == Known::exact);
  CHECK(sum_of(std::vector{exact, none}).evidence == Known::lower_bound);
  CHECK(sum_of(std::vector{exact, none}).gpu_seconds == gpu_hours(6));
  CHECK(sum_of(std::vector{none, none}).evidence == Known::no_record);
  CHECK_FALSE(sum_of(std::vector{none, none}).gpu_seconds);
  CHECK(sum_of({}).evidence == Known::no_record);
}

TEST_CASE("counts from outside stop at the ends of 64 bits") {
  Job absurd = job(INT64_MAX, INT64_MAX, 7);
  const JobRecord seen = record_of(&absurd, std::vector{done(3)}, kNow);
  CHECK(seen.missing == INT64_MAX - 1);
  CHECK(seen.gpu_seconds == INT64_MAX);
  absurd.parallelism = INT64_MAX;
  CHECK(record_of(&absurd, {}, kNow).gpu_seconds == INT64_MAX);
  absurd.parallelism = -3;
  CHECK(record_of(&absurd, {}, kNow).gpu_seconds == gpu_hours(20));
}

TEST_CASE("a pod's GPUs are what the scheduler adds up") {
  Pod pod = make::pod("train", "node", 1);
  pod.phase = "Failed";
  Container fetch{.name = "fetch"};
  fetch.requests.set("nvidia.com/gpu", Quantity::of(2));
  pod.init_containers = {fetch};
  CHECK(job_pod_of(pod).gpus == 2);
  CHECK(job_pod_of(pod).has_failed);
  CHECK(job_pod_of(make::pod("gpumem", "node", 12, "aliyun.com/gpu-mem")).gpus == 1);
}

TEST_CASE("evidence has names for machines") {
  CHECK(name_of(Known::exact) == "exact");
  CHECK(name_of(Known::lower_bound) == "lowerBound");
  CHECK(name_of(Known::no_record) == "noRecord");
}

}  // namespace held_job_held_test
