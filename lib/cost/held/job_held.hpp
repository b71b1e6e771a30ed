#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/time.hpp"
#include "cost/held/held.hpp"
#include "model/objects/job.hpp"
#include "model/objects/pod.hpp"

namespace gpu::cost {

/// How it is known how long a job's pods held GPUs, the best first.
enum class Evidence : std::uint8_t {
  exact,        ///< all its pods are still listed, with their times
  estimated,    ///< some are gone; the Job says how many there were
  history,      ///< from metrics of the time
  lower_bound,  ///< what is known; nothing says whether there was more
  no_record,    ///< nothing is left of it
};

/// "exact", "estimated", "history", "lowerBound", "noRecord".
std::string_view name_of(Evidence evidence);

/// A pod of a job that is still listed.
struct JobPod {
  Held held;
  /// Devices that it requests, as the scheduler adds them up. Devices of claims are not included;
  /// the caller adds them.
  std::int64_t gpus = 0;
  bool has_failed = false;  ///< phase Failed
};
JobPod job_pod_of(const Pod& pod);

/// What the pods of a job held, failed and retried ones included.
struct JobRecord {
  Evidence evidence = Evidence::no_record;
  std::int64_t seen = 0;       ///< pods that are still listed
  std::int64_t missing = 0;    ///< pods that the Job has counted, and that are gone
  bool may_have_more = false;  ///< it may have had pods that nothing counts
  bool has_odd_times = false;  ///< times of the Job or of a pod contradict each other
  std::int64_t failed = 0;     ///< pods, as the Job says or, without it, of those seen
  std::int64_t restarts = 0;   ///< of containers of seen pods
  /// Of all pods together; nothing: no record, or only of pods that have held nothing yet.
  std::optional<std::chrono::seconds> held;
  std::optional<std::int64_t> gpu_seconds;  ///< the same times the GPUs of each; nothing: too
  std::int64_t lost_gpu_seconds = 0;  ///< of that, by seen pods that failed: done again, or lost
};

/// Whether `job` may have had pods that it does not count. Its controller removes the pods that run
/// when it is suspended or its parallelism is lowered, and counts none of these; nor those whose
/// failure a podFailurePolicy ignores. Source: deleteJobPods() and matchPodFailurePolicy() of
/// kubernetes/pkg/controller/job.
bool may_have_uncounted_pods(const Job& job);

/// By the Job, which may be gone (null), and its listed pods. Each pod that is gone counts as the
/// mean of the finished pods, or, if none has finished, of all bound ones. If no pod is left, as
/// many GPUs as the Job may use at once count from the Job's start to its end. The Job starts
/// before its pods are bound, so this is rather too much than too little. If the Job's times are
/// not known or contradict each other, nothing is estimated from them.
JobRecord record_of(const Job* job, std::span<const JobPod> pods, Time now);

/// For an owner of several Jobs, such as a JobSet: their sums, with the least exact of their
/// evidence. If only some have no record, the sum of the others is a lower bound.
JobRecord sum_of(std::span<const JobRecord> records);

}  // namespace gpu::cost
