#include "cost/held/job_held.hpp"

#include <algorithm>
#include <array>

#include "base/quantity.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::cost {
namespace {

using std::chrono::seconds;

/// What some pods held together.
struct HeldSum {
  std::int64_t pods = 0;
  std::int64_t seconds = 0;
  std::int64_t gpu_seconds = 0;

  void add(std::int64_t held, std::int64_t gpus) {
    ++pods;
    seconds = capped_sum(seconds, held);
    gpu_seconds = capped_sum(gpu_seconds, capped_product(held, gpus));
  }
};

/// `part` for each of `pods` pods, times `count`, rounded down.
std::int64_t mean_times(std::int64_t part, std::int64_t pods, std::int64_t count) {
  return static_cast<std::int64_t>(std::min(Int128{part} * count / pods, Int128{INT64_MAX}));
}

/// The pods of a job that are listed.
struct SeenPods {
  HeldSum all;       ///< whose times are known
  HeldSum bound;     ///< of these, those that have held GPUs
  HeldSum finished;  ///< of these, those that are over
  std::int64_t unknown = 0;
  std::int64_t failed = 0;
  std::int64_t lost_gpu_seconds = 0;
  std::int64_t restarts = 0;
  bool is_rough = false;       ///< one of the times is not what it should be
  bool has_odd_times = false;  ///< times of one contradict each other

  void add(const JobPod& pod, Time now) {
    restarts = capped_sum(restarts, pod.held.restarts);
    failed += pod.has_failed ? 1 : 0;
    is_rough = is_rough || pod.held.has_clock_skew || pod.held.since_is_late;
    has_odd_times = has_odd_times || cost::has_odd_times(pod.held, now);
    const std::optional<seconds> held = held_seconds(pod.held, now);
    if (!held) {
      ++unknown;
      return;
    }
    all.add(held->count(), pod.gpus);
    if (!pod.held.never_bound) bound.add(held->count(), pod.gpus);
    if (!pod.held.never_bound && pod.held.end != HeldEnd::open)
      finished.add(held->count(), pod.gpus);
    if (pod.has_failed)
      lost_gpu_seconds = capped_sum(lost_gpu_seconds, capped_product(held->count(), pod.gpus));
  }
};

bool has_odd_times(const Job& job, Time now) {
  const auto is_late = [](const std::optional<Time>& one, const std::optional<Time>& other) {
    return one && other && *one > *other + kClockSkew;
  };
  return is_late(job.created, job.started) || is_late(job.started, job.completed) ||
         is_late(job.started, now) || is_late(job.completed, now);
}

/// From its start to its end, by `now`; nothing where that is not known.
std::optional<seconds> length_of(const Job& job, Time now) {
  const bool is_known = job.started && *job.started > Time{} && job.unread.empty();
  if (!is_known || has_odd_times(job, now)) return std::nullopt;
  return std::max(std::min(job.completed.value_or(now), now) - *job.started, seconds{0});
}

/// What `count` pods of which nothing is left are taken to have held.
std::optional<HeldSum> estimate(const Job& job, const SeenPods& seen, std::int64_t count,
                                Time now) {
  const HeldSum& like = seen.finished.pods > 0 ? seen.finished : seen.bound;
  if (like.pods > 0)
    return HeldSum{.pods = count,
                   .seconds = mean_times(like.seconds, like.pods, count),
                   .gpu_seconds = mean_times(like.gpu_seconds, like.pods, count)};
  const std::optional<seconds> length = length_of(job, now);
  if (!length) return std::nullopt;
  const std::int64_t at_once = std::clamp(
      std::min(job.parallelism, job.completions.value_or(job.parallelism)), std::int64_t{1}, count);
  HeldSum sum;
  sum.add(capped_product(length->count(), at_once), gpu_devices_in(job.requests));
  return sum;
}

std::int64_t counted_pods(const Job& job) {
  return capped_sum(capped_sum(job.active, job.uncounted), capped_sum(job.succeeded, job.failed));
}

/// Whether it has succeeded without a pod: something is wrong with its counts.
bool has_no_count(const Job& job) {
  return job.completed && !job.has_failed && counted_pods(job) == 0 &&
         job.completions.value_or(1) > 0;
}

/// Adds what the Job says of pods that are gone to what is seen. Whether anything is known then:
/// the least that is left of nothing is no 0.
bool add_gone(JobRecord& record, HeldSum& sum, const Job& job, const SeenPods& seen, Time now) {
  record.missing = std::max(counted_pods(job) - record.seen, std::int64_t{0});
  record.has_odd_times = record.has_odd_times || has_odd_times(job, now);
  record.may_have_more = may_have_uncounted_pods(job) || has_no_count(job);
  const std::int64_t open = capped_sum(record.missing, seen.unknown);
  const auto gone = open > 0 ? estimate(job, seen, open, now) : HeldSum{};
  const bool is_known = gone && (open > 0 || seen.bound.pods > 0 || !record.may_have_more);
  if (!is_known) {
    const bool is_nothing_left = record.seen == 0 && !record.may_have_more;
    record.evidence = is_nothing_left ? Evidence::no_record : Evidence::lower_bound;
    return false;
  }
  record.evidence = open > 0 || seen.is_rough ? Evidence::estimated : Evidence::exact;
  if (record.may_have_more) record.evidence = Evidence::lower_bound;
  sum.seconds = capped_sum(sum.seconds, gone->seconds);
  sum.gpu_seconds = capped_sum(sum.gpu_seconds, gone->gpu_seconds);
  return true;
}

}  // namespace

std::string_view name_of(Evidence evidence) {
  static constexpr std::array<std::string_view, 5> kNames = {"exact", "estimated", "history",
                                                             "lowerBound", "noRecord"};
  return kNames.at(static_cast<std::size_t>(evidence));
}

JobPod job_pod_of(const Pod& pod) {
  return {.held = held_of(pod),
          .gpus = gpu_devices_in(effective_requests(pod)),
          .has_failed = pod.phase == "Failed"};
}

bool may_have_uncounted_pods(const Job& job) {
  if (job.ignores_failures || job.lacks_counts) return true;
  const bool was_changed = job.generation.value_or(1) > 1;
  if (job.is_suspended) return was_changed || job.started.has_value();
  if (!job.was_suspended) return was_changed;
  // Made suspended and resumed once, as Kueue does it, is one change: it had no pods before.
  return job.generation != 2;
}

JobRecord record_of(const Job* job, std::span<const JobPod> pods, Time now) {
  SeenPods seen;
  for (const JobPod& pod : pods) seen.add(pod, now);
  JobRecord record{.seen = static_cast<std::int64_t>(pods.size())};
  record.failed = job != nullptr ? job->failed : seen.failed;
  record.restarts = seen.restarts;
  record.lost_gpu_seconds = seen.lost_gpu_seconds;
  record.has_odd_times = seen.has_odd_times;
  if (job == nullptr && pods.empty()) return record;
  HeldSum sum = seen.all;
  record.evidence = Evidence::lower_bound;
  if (job != nullptr && !add_gone(record, sum, *job, seen, now)) return record;
  record.held = seconds{sum.seconds};
  record.gpu_seconds = sum.gpu_seconds;
  return record;
}

JobRecord sum_of(std::span<const JobRecord> records) {
  JobRecord sum;
  Evidence worst = Evidence::exact;
  for (const JobRecord& each : records) {
    worst = std::max(worst, each.evidence);
    sum.seen = capped_sum(sum.seen, each.seen);
    sum.missing = capped_sum(sum.missing, each.missing);
    sum.may_have_more = sum.may_have_more || each.may_have_more;
    sum.has_odd_times = sum.has_odd_times || each.has_odd_times;
    sum.failed = capped_sum(sum.failed, each.failed);
    sum.restarts = capped_sum(sum.restarts, each.restarts);
    sum.lost_gpu_seconds = capped_sum(sum.lost_gpu_seconds, each.lost_gpu_seconds);
    if (!each.held || !each.gpu_seconds) continue;
    sum.held = seconds{capped_sum(sum.held.value_or(seconds{0}).count(), each.held->count())};
    sum.gpu_seconds = capped_sum(sum.gpu_seconds.value_or(0), *each.gpu_seconds);
  }
  if (sum.held) sum.evidence = std::min(worst, Evidence::lower_bound);
  return sum;
}

}  // namespace gpu::cost
