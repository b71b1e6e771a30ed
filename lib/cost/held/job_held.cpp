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
  bool is_rough = false;  ///< one of the times is not what it should be

  void add(const JobPod& pod, Time now) {
    restarts = capped_sum(restarts, pod.held.restarts);
    failed += pod.has_failed ? 1 : 0;
    is_rough = is_rough || pod.held.has_clock_skew || pod.held.since_is_late;
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

/// What `count` pods of which nothing is left are taken to have held.
std::optional<HeldSum> estimate(const Job& job, const SeenPods& seen, std::int64_t count,
                                Time now) {
  const HeldSum& like = seen.finished.pods > 0 ? seen.finished : seen.bound;
  if (like.pods > 0)
    return HeldSum{.pods = count,
                   .seconds = mean_times(like.seconds, like.pods, count),
                   .gpu_seconds = mean_times(like.gpu_seconds, like.pods, count)};
  if (!job.started) return std::nullopt;
  const std::int64_t at_once = std::clamp(
      std::min(job.parallelism, job.completions.value_or(job.parallelism)), std::int64_t{1}, count);
  const seconds length = std::max(job.completed.value_or(now) - *job.started, seconds{0});
  HeldSum sum;
  sum.add(capped_product(length.count(), at_once), gpu_devices_in(job.requests));
  return sum;
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

JobRecord record_of(const Job* job, std::span<const JobPod> pods, Time now) {
  SeenPods seen;
  for (const JobPod& pod : pods) seen.add(pod, now);
  JobRecord record{.seen = static_cast<std::int64_t>(pods.size())};
  record.failed = job != nullptr ? job->failed : seen.failed;
  record.restarts = seen.restarts;
  record.lost_gpu_seconds = seen.lost_gpu_seconds;
  if (job == nullptr && pods.empty()) return record;
  HeldSum sum = seen.all;
  record.evidence = Evidence::lower_bound;
  if (job != nullptr) {
    const std::int64_t counted = capped_sum(capped_sum(job->active, job->succeeded), job->failed);
    record.missing = std::max(counted - record.seen, std::int64_t{0});
    const std::int64_t open = capped_sum(record.missing, seen.unknown);
    const auto gone = open > 0 ? estimate(*job, seen, open, now) : HeldSum{};
    if (!gone && pods.empty()) {
      record.evidence = Evidence::no_record;
      return record;
    }
    if (gone) {
      record.evidence = open > 0 || seen.is_rough ? Evidence::estimated : Evidence::exact;
      sum.seconds = capped_sum(sum.seconds, gone->seconds);
      sum.gpu_seconds = capped_sum(sum.gpu_seconds, gone->gpu_seconds);
    }
    // Pods that a suspension removed are counted nowhere. Never changed: it was made like this.
    if (job->is_suspended && job->was_changed)
      record.evidence = std::max(record.evidence, Evidence::lower_bound);
  }
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
