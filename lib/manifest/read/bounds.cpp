#include "manifest/read/bounds.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/quantity.hpp"
#include "manifest/read/growth.hpp"
#include "manifest/read/json_value.hpp"

namespace gpu::manifest {
namespace {

using nlohmann::json;
using Pointer = json::json_pointer;

/// What the API server gives a Job without backoffLimit, and Volcano a Job without maxRetry.
constexpr std::int64_t kUsualBackoffLimit = 6;
constexpr std::int64_t kUsualMaxRetry = 3;
constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

/// A whole number from 0 on; nothing for any other, and where there is none.
std::optional<std::int64_t> number_at(const json& object, const Pointer& at) {
  const json* const value = value_of_path(object, at);
  if (value == nullptr || !value->is_number_integer()) return std::nullopt;
  const auto number = value->get<std::int64_t>();
  return number < 0 ? std::nullopt : std::optional(std::min(number, kMost));
}

std::optional<std::chrono::seconds> deadline_at(const json& object, const Pointer& spec) {
  const auto seconds = number_at(object, spec / "activeDeadlineSeconds");
  return seconds ? std::optional(std::chrono::seconds(*seconds)) : std::nullopt;
}

std::string word_at(const json& object, const Pointer& at) {
  const json* const value = value_of_path(object, at);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

/// The spec of the Job that makes the pods of a template at "SPEC/template/spec".
Pointer job_spec_of(const decode::PodTemplate& made) {
  Pointer at = made.spec_at;
  for (int up = 0; up < 2 && !at.empty(); ++up) at.pop_back();
  return at;
}

/// Whether a rule of podFailurePolicy does not count pods that were disrupted.
bool ignores_disruptions(const json& job) {
  const json* const rules = value_of_path(job, Pointer("/podFailurePolicy/rules"));
  if (rules == nullptr || !rules->is_array()) return false;
  return std::any_of(rules->begin(), rules->end(), [](const json& rule) {
    return rule.is_object() && word_at(rule, Pointer("/action")) == "Ignore" &&
           rule.contains("onPodConditions");
  });
}

/// Of one Job of batch/v1, whose pods at once stand in `bounds` for all its copies.
void add_job(RunBounds& bounds, const json& job) {
  const std::int64_t parallelism = number_at(job, Pointer("/parallelism")).value_or(1);
  const auto completions = number_at(job, Pointer("/completions"));
  const std::int64_t at_once = std::min(parallelism, completions.value_or(parallelism));
  const std::int64_t copies = at_once == 0 ? 0 : bounds.pods_at_once / at_once;
  bounds.ends = true;
  bounds.pods_in_all = capped_product(copies, completions.value_or(at_once));
  bounds.deadline = deadline_at(job, Pointer());
  const auto limit = number_at(job, Pointer("/backoffLimit"));
  std::int64_t retries = limit.value_or(kUsualBackoffLimit);
  if (const auto each = number_at(job, Pointer("/backoffLimitPerIndex")))
    retries = std::min(capped_product(*each, completions.value_or(1)), limit.value_or(kMost));
  bounds.retries = capped_product(copies, retries);
  bounds.ignores_disruptions = ignores_disruptions(job);
}

/// Kubeflow's training operator: backoffLimit is of all pods of the job together (training-operator
/// v1.9: PastBackoffLimit). Without it a pod that may be restarted is restarted without end, and it
/// does not count what ExitCode restarts (kubeflow/trainer#2045). The launcher of a v2 MPIJob is a
/// Job, and its workers run as long as it does.
void add_kubeflow(RunBounds& bounds, const json& object, const KindName& name,
                  const decode::PodTemplate& made) {
  bounds.ends = true;
  bounds.deadline = deadline_at(object, Pointer("/spec/runPolicy"));
  const auto limit = number_at(object, Pointer("/spec/runPolicy/backoffLimit"));
  if (name.kind == "MPIJob" && has_group(name, "kubeflow.org") &&
      name.api_version.ends_with("v2beta1")) {
    bounds.retries = 0;
    bounds.restarts = limit.value_or(kUsualBackoffLimit);
    return;
  }
  std::string policy = word_at(object, job_spec_of(made) / "restartPolicy");
  if (policy.empty()) policy = name.kind == "PyTorchJob" ? "OnFailure" : "Never";
  if (policy == "ExitCode") return;
  bounds.retries = policy == "Never" ? 0 : limit;
  bounds.shares_retries = policy != "Never";
}

void add_ray_job(RunBounds& bounds, const json& object) {
  const json* const ends = value_of_path(object, Pointer("/spec/shutdownAfterJobFinishes"));
  bounds.ends = ends != nullptr && ends->is_boolean() && ends->get<bool>();
  bounds.stays_after_end = !bounds.ends;
  if (!bounds.ends) return;
  bounds.deadline = deadline_at(object, Pointer("/spec"));
  bounds.retries = 0;
  bounds.restarts = number_at(object, Pointer("/spec/backoffLimit")).value_or(0);
}

/// Containers that restart in place hold the GPUs without end.
void add_pod(RunBounds& bounds, const json& object) {
  const std::string policy = word_at(object, Pointer("/spec/restartPolicy"));
  bounds.ends = policy == "Never" || policy == "OnFailure";
  bounds.deadline = deadline_at(object, Pointer("/spec"));
  if (policy == "Never") bounds.retries = 0;
  if (bounds.deadline) bounds.ends = true;
}

/// Katib runs so many trials at one time, and so many in all, or without end
/// (DefaultTrialParallelCount is 3). What ends a trial does not end the others.
void add_experiment(RunBounds& bounds, const json& object, const decode::PodTemplate& made) {
  constexpr std::int64_t kUsualTrials = 3;
  const json* const job = value_of_path(object, job_spec_of(made));
  if (job != nullptr && job->is_object() && job->contains("template")) add_job(bounds, *job);
  const auto at_once = number_at(object, Pointer("/spec/parallelTrialCount"));
  const auto in_all = number_at(object, Pointer("/spec/maxTrialCount"));
  bounds.pods_at_once = capped_product(bounds.pods_at_once, at_once.value_or(kUsualTrials));
  bounds.deadline.reset();
  if (!in_all || !bounds.retries) {
    bounds.ends = false;
    bounds.pods_in_all = bounds.pods_at_once;
    return;
  }
  bounds.pods_in_all = capped_product(bounds.pods_in_all, *in_all);
  bounds.retries = capped_product(*bounds.retries, *in_all);
}

bool is_of_kubeflow(const KindName& name) {
  static constexpr std::array<std::string_view, 7> kJobs = {
      "PyTorchJob", "TFJob", "MPIJob", "XGBoostJob", "PaddleJob", "JAXJob", "MXJob"};
  return has_group(name, "kubeflow.org") &&
         std::find(kJobs.begin(), kJobs.end(), name.kind) != kJobs.end();
}

void add_by_kind(RunBounds& bounds, const json& object, const KindName& name,
                 const decode::PodTemplate& made) {
  const bool is_job = (name.kind == "Job" || name.kind == "CronJob") && has_group(name, "batch");
  const bool is_set = name.kind == "JobSet" && has_group(name, "jobset.x-k8s.io");
  if (is_job || is_set) {
    const json* const job = value_of_path(object, job_spec_of(made));
    if (job != nullptr && job->is_object()) add_job(bounds, *job);
  }
  if (is_set)
    bounds.restarts = number_at(object, Pointer("/spec/failurePolicy/maxRestarts")).value_or(0);
  if (is_of_kubeflow(name)) add_kubeflow(bounds, object, name, made);
  if (name.kind == "RayJob" && has_group(name, "ray.io")) add_ray_job(bounds, object);
  if (name.kind == "Experiment" && has_group(name, "kubeflow.org"))
    add_experiment(bounds, object, made);
  if (name.kind == "Pod" && has_group(name, "")) add_pod(bounds, object);
  if (name.kind == "TrainJob" && has_group(name, "trainer.kubeflow.org")) {
    bounds.ends = true;
    bounds.deadline = deadline_at(object, Pointer("/spec"));
  }
  if (name.kind == "Job" && has_group(name, "batch.volcano.sh")) {
    bounds.ends = true;
    bounds.retries = 0;
    bounds.restarts = number_at(object, Pointer("/spec/maxRetry")).value_or(kUsualMaxRetry);
  }
}

}  // namespace

RunBounds bounds_of(const json& object, const KindName& name, const decode::PodTemplate& made,
                    std::int64_t pods_at_once) {
  RunBounds bounds{.pods_at_once = pods_at_once, .pods_in_all = pods_at_once};
  add_by_kind(bounds, object, name, made);
  add_growth(bounds, object, name, made);
  return bounds;
}

}  // namespace gpu::manifest
