#include "decode/kinds/job.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "decode/objects/metadata.hpp"
#include "decode/objects/pod.hpp"
#include "decode/wire/json_fields.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::decode {
namespace {

/// Calls `read`. What it cannot read is noted in `job`, and the rest of the Job stands: one bad
/// time hides no Job. Whether all could be read.
template <class Read>
bool read_part(Job& job, Read read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::data) throw;
    if (job.unread.empty()) job.unread = error.message();
    return false;
  }
}

/// Nothing where it is absent, or is no time.
std::optional<Time> time_in(Job& job, const JsonObject& object, std::string_view name) {
  std::optional<Time> time;
  read_part(job, [&] { time = object.time(name); });
  return time;
}

/// How many there are; 0 where that is no number of pods.
std::int64_t count_in(Job& job, const JsonObject& status, std::string_view name) {
  std::int64_t count = 0;
  const bool is_count = read_part(job, [&] {
    const std::int32_t number = status.number(name).value_or(0);
    if (number < 0) fail(Path{&status.path(), name}, "expected a number of pods, got less than 0");
    count = number;
  });
  job.lacks_counts = job.lacks_counts || !is_count;
  return count;
}

std::optional<std::chrono::seconds> seconds_in(const JsonObject& spec, std::string_view name) {
  const std::optional<std::int64_t> number = spec.long_number(name);
  return number ? std::optional(std::chrono::seconds(*number)) : std::nullopt;
}

bool ignores_failures(const JsonObject& spec) {
  bool ignores = false;
  if (const auto policy = spec.object("podFailurePolicy"))
    policy->each("rules", [&](const JsonObject& rule) {
      ignores = ignores || rule.text("action") == "Ignore";
    });
  return ignores;
}

void read_job_spec(Job& job, const nlohmann::json& object, const JsonObject& spec) {
  job.is_suspended = spec.flag("suspend");
  job.parallelism = spec.long_number("parallelism").value_or(1);
  job.completions = spec.long_number("completions");
  job.backoff_limit = spec.long_number("backoffLimit");
  job.deadline = seconds_in(spec, "activeDeadlineSeconds");
  job.ttl = seconds_in(spec, "ttlSecondsAfterFinished");
  job.ignores_failures = ignores_failures(spec);
  if (spec.has("template"))
    job.requests = effective_requests(pod_from_json(object.at("spec").at("template")));
}

void take_condition(Job& job, const JsonObject& condition) {
  const std::string type = condition.text("type");
  job.was_suspended = job.was_suspended || type == "Suspended";
  const bool is_failure = type == "Failed";
  const bool is_end = is_failure || type == "Complete";
  if (!is_end || condition.text("status") != "True") return;
  job.has_failed = job.has_failed || is_failure;
  // A Job that failed has no completionTime.
  if (!job.completed) job.completed = time_in(job, condition, "lastTransitionTime");
}

void read_job_status(Job& job, const JsonObject& status) {
  job.started = time_in(job, status, "startTime");
  job.completed = time_in(job, status, "completionTime");
  job.active = count_in(job, status, "active");
  job.succeeded = count_in(job, status, "succeeded");
  job.failed = count_in(job, status, "failed");
  if (const auto pods = status.object("uncountedTerminatedPods"))
    for (const char* const list : {"succeeded", "failed"})
      job.uncounted += static_cast<std::int64_t>(pods->texts(list).size());
  status.each("conditions", [&](const JsonObject& condition) { take_condition(job, condition); });
}

/// A bad time takes neither its name nor its owners from it.
Metadata metadata_of(Job& job, const nlohmann::json& object, const JsonObject& metadata) {
  constexpr std::array kTimes = {"creationTimestamp", "deletionTimestamp"};
  for (const char* const time : kTimes) time_in(job, metadata, time);
  if (job.unread.empty()) return metadata_from_json(metadata, Annotations::none);
  nlohmann::json rest = object.at("metadata");
  for (const char* const time : kTimes) rest.erase(time);
  return metadata_from_json(JsonObject(rest, metadata.path()), Annotations::none);
}

void read_job_metadata(Job& job, const nlohmann::json& object, const JsonObject& metadata) {
  Metadata read = metadata_of(job, object, metadata);
  job.ns = std::move(read.ns);
  job.name = std::move(read.name);
  job.uid = std::move(read.uid);
  job.owners = std::move(read.owners);
  job.created = read.created;
  job.generation = metadata.long_number("generation");
}

}  // namespace

Job job_from_json(const nlohmann::json& object) {
  Job job;
  naming_object("Job", job.ns, job.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto metadata = root.object("metadata")) read_job_metadata(job, object, *metadata);
    const bool has_all = read_part(job, [&] {
      if (const auto spec = root.object("spec")) read_job_spec(job, object, *spec);
    });
    const bool has_counts = read_part(job, [&] {
      if (const auto status = root.object("status")) read_job_status(job, *status);
    });
    job.lacks_counts = job.lacks_counts || !has_all || !has_counts;
  });
  return job;
}

}  // namespace gpu::decode
