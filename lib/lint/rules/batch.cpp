#include <fmt/format.h>

#include <vector>

#include "lint/rules/batch_rules.hpp"
#include "lint/rules/values.hpp"

namespace gpu::lint {
namespace {

constexpr const char* kRestartOfJob = "/spec/template/spec/restartPolicy";
constexpr auto kJobPolicies = std::to_array<std::string_view>({"Never", "OnFailure"});

std::vector<JobSubject> jobs_of(const ObjectSubject& object) {
  std::vector<JobSubject> jobs;
  if (object.is("Job", "batch"))
    jobs.push_back({.owner = object, .job = object.object, .at = object.at});
  if (object.is("CronJob", "batch"))
    jobs.push_back({.owner = object,
                    .job = object.value("/spec/jobTemplate"),
                    .at = object.in_document("/spec/jobTemplate")});
  if (object.is("JobSet", "jobset.x-k8s.io")) {
    const json& all = list_at(object.object, "/spec/replicatedJobs");
    for (std::size_t i = 0; i < all.size(); ++i)
      jobs.push_back({.owner = object,
                      .job = value_at(all[i], Pointer("/template")),
                      .at = object.in_document("/spec/replicatedJobs") / i / "template",
                      .is_in_set = true});
  }
  return jobs;
}

/// What is written one indent too shallow, if a Job can have it; else Never.
std::string wanted_policy(const json& job) {
  for (const char* const at : {"/spec/template/restartPolicy", "/spec/restartPolicy"})
    if (const std::string_view found = text_at(job, at); is_one_of(found, kJobPolicies))
      return std::string(found);
  return "Never";
}

void check_restart_policy(const JobSubject& job, Findings& findings) {
  if (!value_at(job.job, Pointer("/spec/template/spec")).is_object()) return;
  const json& policy = value_at(job.job, Pointer(kRestartOfJob));
  if (policy.is_string() && is_one_of(text_at(job.job, kRestartOfJob), kJobPolicies)) return;
  const Pointer at = job.at / Pointer(kRestartOfJob);
  if (policy.is_null()) {
    // A JobSet's webhook fills in OnFailure.
    if (job.is_in_set) return;
    findings.add(rule(BatchRule::restart), at,
                 "the pods of the Job have no restartPolicy, and the default is Always",
                 "write Never or OnFailure", Edit{Edit::Kind::set, at, wanted_policy(job.job)});
    return;
  }
  const std::string typed = written(policy);
  findings.add(rule(BatchRule::restart), at,
               fmt::format("the pods of the Job have restartPolicy {}", typed),
               "write Never or OnFailure", set_nearest(typed, kJobPolicies, at));
}

void check_indexes(const JobSubject& job, Findings& findings) {
  if (text_at(job.job, "/spec/completionMode") != "Indexed") return;
  const auto completions = integer_at(job.job, "/spec/completions");
  const auto parallelism = integer_at(job.job, "/spec/parallelism");
  const Pointer at = job.at / "spec" / "completions";
  // Where neither is written, both are 1.
  if (value_at(job.job, Pointer("/spec/completions")).is_null() && parallelism)
    findings.add(rule(BatchRule::completions), at,
                 "the Job is Indexed and has parallelism, but no completions",
                 fmt::format("write completions: {}", *parallelism),
                 Edit{Edit::Kind::set, at, *parallelism});
  if (!completions || *completions <= parallelism.value_or(1)) return;
  bool has_ranks = false;
  for_each_container_in(job.owner, value_at(job.job, Pointer("/spec/template/spec")), Pointer(),
                        [&](const ContainerSubject& each) {
                          for (const std::string& word : each.words())
                            has_ranks =
                                has_ranks || word.find("JOB_COMPLETION_INDEX") != std::string::npos;
                        });
  if (has_ranks)
    findings.add(rule(BatchRule::ranks), job.at / "spec" / "parallelism",
                 fmt::format("the Job has {} ranks, of which {} run at once", *completions,
                             parallelism.value_or(1)),
                 fmt::format("write parallelism: {}", *completions));
}

void check_retries(const JobSubject& job, Findings& findings) {
  const std::int64_t gpus = gpus_in(job.owner, value_at(job.job, Pointer("/spec/template/spec")));
  if (gpus == 0) return;
  for (const char* const field : {"backoffLimit", "activeDeadlineSeconds", "backoffLimitPerIndex"})
    if (!value_at(job.job, Pointer("/spec") / field).is_null()) return;
  if (!value_at(job.job, Pointer("/spec/template/spec/activeDeadlineSeconds")).is_null()) return;
  findings.add(rule(BatchRule::retries), job.at / "spec" / "backoffLimit",
               fmt::format("a pod with {} GPU{} that fails is tried seven times, each without a "
                           "limit of time",
                           gpus, gpus == 1 ? "" : "s"),
               "write backoffLimit: 3, or activeDeadlineSeconds");
}

void check_name(const ObjectSubject& object, Findings& findings) {
  constexpr std::size_t kMostOfLabel = 63;
  constexpr std::size_t kMostOfCronJob = 52;
  const std::string_view name = text_at(object.object, "/metadata/name");
  const Pointer at = object.in_document("/metadata/name");
  const bool is_cron = object.is("CronJob", "batch");
  if (!is_cron && !object.is("Job", "batch")) return;
  const std::size_t most = is_cron ? kMostOfCronJob : kMostOfLabel;
  if (name.size() > most) {
    findings.add(rule(BatchRule::long_name), at,
                 fmt::format("the name of the {} has {} characters", object.name.kind, name.size()),
                 fmt::format("write at most {} characters", most));
    return;
  }
  if (is_cron || name.empty()) return;
  const bool has_dots = name.find('.') != std::string_view::npos;
  if (text_at(object.object, "/spec/completionMode") == "Indexed") {
    const std::int64_t last =
        std::max<std::int64_t>(1, integer_at(object.object, "/spec/completions").value_or(1));
    const std::string pod = fmt::format("{}-{}", name, last - 1);
    if (has_dots || pod.size() > kMostOfLabel)
      findings.add(
          rule(BatchRule::pod_name), at,
          fmt::format("the last pod would be called {}, which {}", pod,
                      has_dots ? "has a dot" : fmt::format("has {} characters", pod.size())),
          has_dots ? "write dashes instead of dots"
                   : fmt::format("write at most {} characters",
                                 kMostOfLabel - (pod.size() - name.size())));
  } else if (has_dots) {
    findings.add(rule(BatchRule::dots), at, fmt::format("the name {} has a dot", name),
                 "write dashes instead of dots");
  }
}

/// Whether the pods of a kind of Kubernetes' own are always restarted.
bool restarts_always(const ObjectSubject& object) {
  return object.is("Deployment", "apps") || object.is("StatefulSet", "apps") ||
         object.is("DaemonSet", "apps") || object.is("ReplicaSet", "apps") ||
         object.is("ReplicationController", "");
}

void check_workload_policy(const ObjectSubject& object, Findings& findings) {
  if (!restarts_always(object)) return;
  const json& policy = object.value(kRestartOfJob);
  if (policy.is_null() || policy == "Always") return;
  const Pointer at = object.in_document(kRestartOfJob);
  findings.add(rule(BatchRule::workload_restart), at,
               fmt::format("the pods of a {} cannot have restartPolicy {}", object.name.kind,
                           written(policy)),
               "write Always, or make it a Job", Edit{Edit::Kind::set, at, "Always"});
}

void report_misplaced(const ObjectSubject& object, const Pointer& holder, bool is_mended,
                      Findings& findings) {
  const json& policy = value_at(object.object, holder / "restartPolicy");
  if (policy.is_null()) return;
  const Pointer at = object.at / holder / "restartPolicy";
  findings.add(rule(BatchRule::misplaced), at,
               fmt::format("restartPolicy {} is not in the spec of the pod, and is dropped",
                           written(policy)),
               "move it into the spec of the pod, beside containers",
               is_mended ? std::optional(Edit{Edit::Kind::remove, at, {}}) : std::nullopt);
}

void check_misplaced(const ObjectSubject& object, const std::vector<JobSubject>& jobs,
                     Findings& findings) {
  // Of a Job the right place is written by another finding: nothing is lost here.
  const bool is_job = object.is("Job", "batch") || object.is("CronJob", "batch");
  for (const decode::PodTemplate& each : decode::pod_templates(object.object)) {
    if (each.spec_at.empty() || each.spec_at.back() != "spec") continue;
    const Pointer holder = each.spec_at.parent_pointer();
    const bool is_pod = holder.empty() && object.is("Pod", "");
    const bool is_template =
        !holder.empty() && (holder.back() == "template" || holder.back().ends_with("Template"));
    if (is_pod || is_template) report_misplaced(object, holder, is_job, findings);
  }
  for (const JobSubject& job : jobs) {
    Pointer holder("/spec");
    if (object.is("CronJob", "batch")) holder = Pointer("/spec/jobTemplate/spec");
    if (!job.is_in_set) report_misplaced(object, holder, true, findings);
  }
  if (restarts_always(object)) report_misplaced(object, Pointer("/spec"), false, findings);
}

/// "25%" or a number, of `replicas`.
std::int64_t share_of(const json& amount, std::int64_t replicas, bool is_rounded_up) {
  constexpr std::int64_t kUsualPercent = 25;
  std::int64_t percent = kUsualPercent;
  if (const auto number = integer_of(amount)) return *number;
  if (amount.is_string()) {
    const std::string text = written(amount);
    if (!text.ends_with('%')) return 1;
    const auto number = whole_number(std::string_view(text).substr(0, text.size() - 1));
    if (!number || *number < 0 || *number > 100) return 1;
    percent = *number;
  }
  return (percent * replicas + (is_rounded_up ? 99 : 0)) / 100;
}

void check_rollout(const ObjectSubject& object, Findings& findings) {
  if (!object.is("Deployment", "apps")) return;
  const std::int64_t gpus = gpus_in(object, object.value("/spec/template/spec"));
  const std::int64_t replicas = integer_at(object.object, "/spec/replicas").value_or(1);
  constexpr std::int64_t kMany = 1'000'000;
  if (gpus == 0 || replicas < 1 || replicas > kMany) return;
  const std::string_view type = text_at(object.object, "/spec/strategy/type");
  if (!type.empty() && type != "RollingUpdate") return;
  const std::int64_t surge =
      share_of(object.value("/spec/strategy/rollingUpdate/maxSurge"), replicas, true);
  const std::int64_t missing =
      share_of(object.value("/spec/strategy/rollingUpdate/maxUnavailable"), replicas, false);
  if (surge < 1 || missing > 0) return;
  findings.add(rule(BatchRule::rollout), object.in_document("/spec/strategy"),
               fmt::format("a rollout starts a new pod first, and waits until {} GPU{} free", gpus,
                           gpus == 1 ? " is" : "s are"),
               replicas == 1 ? "write type: Recreate, if a pause is allowed"
                             : "write maxSurge: 0 and maxUnavailable: 1");
}

}  // namespace

std::span<const Rule> batch_rules() { return kBatchRules; }

void check_batch(const ObjectSubject& object, Findings& findings) {
  const std::vector<JobSubject> jobs = jobs_of(object);
  check_misplaced(object, jobs, findings);
  for (const JobSubject& job : jobs) {
    check_restart_policy(job, findings);
    check_failure_policy(job, findings);
    check_indexes(job, findings);
    check_retries(job, findings);
  }
  check_name(object, findings);
  check_workload_policy(object, findings);
  check_rollout(object, findings);
  check_jobset(object, findings);
  check_queue_label(object, findings);
}

}  // namespace gpu::lint
