#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/resource_list.hpp"
#include "base/time.hpp"
#include "model/objects/pod.hpp"

namespace gpu {

/// What we keep of a batch/v1 Job: how many pods it has had, and when.
struct Job {
  std::string ns;
  std::string name;
  std::string uid;
  std::vector<OwnerReference> owners;
  std::optional<Time> created;
  /// status.startTime: when its controller took it up, before any pod was bound; anew after a
  /// suspension.
  std::optional<Time> started;
  std::optional<Time> completed;  ///< status.completionTime, or since when it is Complete or Failed
  bool has_failed = false;        ///< the condition Failed is True
  bool is_suspended = false;      ///< spec.suspend
  bool was_suspended = false;     ///< it has the condition Suspended: it is, or was and is resumed
  /// metadata.generation: 1, and 1 more for each change of its spec; nothing: a file leaves it out.
  std::optional<std::int64_t> generation;
  std::int64_t active = 0;     ///< pods that wait or run, without those that are being deleted
  std::int64_t succeeded = 0;  ///< pods, all that there have ever been
  std::int64_t failed = 0;     ///< too
  std::int64_t uncounted = 0;  ///< pods that are over, and not among these two yet
  /// A rule of spec.podFailurePolicy is Ignore: pods that failed so are never counted.
  bool ignores_failures = false;
  /// What of it is not what the API says, such as a time; empty: nothing. The rest is as it stands.
  std::string unread;
  bool lacks_counts = false;     ///< what is unread is more than a time: not all counts are known
  std::int64_t parallelism = 1;  ///< pods at once
  std::optional<std::int64_t> completions;       ///< nothing: one that succeeds is enough
  std::optional<std::int64_t> backoff_limit;     ///< pods that may fail
  std::optional<std::chrono::seconds> deadline;  ///< spec.activeDeadlineSeconds
  std::optional<std::chrono::seconds> ttl;       ///< spec.ttlSecondsAfterFinished
  ResourceList requests;                         ///< effective ones of a pod of spec.template
  friend bool operator==(const Job&, const Job&) = default;
};

}  // namespace gpu
