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
  bool was_changed = false;       ///< its spec, by metadata.generation: it may have run before
  std::int64_t active = 0;        ///< pods that wait or run, without those that are being deleted
  std::int64_t succeeded = 0;     ///< pods, all that there have ever been
  std::int64_t failed = 0;        ///< too
  std::int64_t parallelism = 1;   ///< pods at once
  std::optional<std::int64_t> completions;       ///< nothing: one that succeeds is enough
  std::optional<std::int64_t> backoff_limit;     ///< pods that may fail
  std::optional<std::chrono::seconds> deadline;  ///< spec.activeDeadlineSeconds
  std::optional<std::chrono::seconds> ttl;       ///< spec.ttlSecondsAfterFinished
  ResourceList requests;                         ///< effective ones of a pod of spec.template
  friend bool operator==(const Job&, const Job&) = default;
};

}  // namespace gpu
