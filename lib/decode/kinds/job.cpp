#include "decode/kinds/job.hpp"

#include <algorithm>
#include <utility>

#include "decode/objects/metadata.hpp"
#include "decode/objects/pod.hpp"
#include "decode/wire/json_fields.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::decode {
namespace {

std::optional<std::chrono::seconds> seconds_in(const JsonObject& spec, std::string_view name) {
  const std::optional<std::int64_t> number = spec.long_number(name);
  return number ? std::optional(std::chrono::seconds(*number)) : std::nullopt;
}

void read_job_spec(Job& job, const nlohmann::json& object, const JsonObject& spec) {
  job.is_suspended = spec.flag("suspend");
  job.parallelism = spec.long_number("parallelism").value_or(1);
  job.completions = spec.long_number("completions");
  job.backoff_limit = spec.long_number("backoffLimit");
  job.deadline = seconds_in(spec, "activeDeadlineSeconds");
  job.ttl = seconds_in(spec, "ttlSecondsAfterFinished");
  if (spec.has("template"))
    job.requests = effective_requests(pod_from_json(object.at("spec").at("template")));
}

/// A Job that failed has no completionTime.
void take_end(Job& job, const Condition& condition) {
  if (condition.status != "True") return;
  const bool is_failure = condition.type == "Failed";
  job.has_failed = job.has_failed || is_failure;
  if ((is_failure || condition.type == "Complete") && !job.completed)
    job.completed = condition.last_transition;
}

void read_job_status(Job& job, const JsonObject& status) {
  job.started = status.time("startTime");
  job.completed = status.time("completionTime");
  job.active = std::max<std::int64_t>(status.number("active").value_or(0), 0);
  job.succeeded = std::max<std::int64_t>(status.number("succeeded").value_or(0), 0);
  job.failed = std::max<std::int64_t>(status.number("failed").value_or(0), 0);
  status.each("conditions",
              [&](const JsonObject& condition) { take_end(job, condition_from_json(condition)); });
}

}  // namespace

Job job_from_json(const nlohmann::json& object) {
  Job job;
  naming_object("Job", job.ns, job.name, [&] {
    const JsonObject root(object, Path{});
    if (const auto read = root.object("metadata")) {
      Metadata metadata = metadata_from_json(*read, Annotations::none);
      job.ns = std::move(metadata.ns);
      job.name = std::move(metadata.name);
      job.uid = std::move(metadata.uid);
      job.owners = std::move(metadata.owners);
      job.created = metadata.created;
      job.was_changed = read->long_number("generation").value_or(1) > 1;
    }
    if (const auto spec = root.object("spec")) read_job_spec(job, object, *spec);
    if (const auto status = root.object("status")) read_job_status(job, *status);
  });
  return job;
}

}  // namespace gpu::decode
