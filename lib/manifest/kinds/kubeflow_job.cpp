#include "manifest/kinds/kubeflow_job.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/ascii.hpp"

namespace gpu::manifest {

Tree run_policy(const GenOptions& options, Why why_clean, const Failures& failures) {
  Tree policy;
  policy.set("cleanPodPolicy", "Running", std::move(why_clean));
  policy.set("ttlSecondsAfterFinished", options.ttl_seconds.value_or(86400),
             {"", "The job and its pods are deleted a day after it ended.", ""});
  if (options.deadline_seconds) policy.set("activeDeadlineSeconds", *options.deadline_seconds);
  return policy.set("backoffLimit", failures.backoff_limit, failures.why);
}

Tree run_policy_v1(const GenOptions& options) {
  return run_policy(
      options,
      {"when one rank fails, the others are ended and give their GPUs back",
       "By default the other pods run on when the job has failed, and hold their GPUs.",
       "kubeflow/trainer#1579"},
      {.backoff_limit = 0,
       .why = {"restartPolicy is Never, so no failure is retried",
               "What backoffLimit counts are restarts of containers, and with restartPolicy Never "
               "there are none.",
               "kubeflow/trainer#2342"}});
}

Tree replicas_v1(std::int64_t count, Tree pod_template) {
  return Tree::map(
      {{"replicas", count},
       {"restartPolicy",
        "Never",
        {"OnFailure restarts one rank alone, for ever, while the others wait for it",
         "The first failure ends the job. OnFailure, and ExitCode for exit codes from 128 on, "
         "start one rank again without end whatever backoffLimit says, and it cannot join the "
         "ranks that run. JobSet starts all ranks again together.",
         "kubeflow/trainer#1589, #2342, #2045"}},
       {"template", std::move(pod_template)}});
}

Tree job_name_label(const GenOptions& options) {
  return Tree::map({{"training.kubeflow.org/job-name", options.name}});
}

void note_queue(GenRequest& request, std::string_view kind) {
  if (request.options.queue.empty()) return;
  request.note(fmt::format(
      "Kueue leaves {}s alone unless its integrations.frameworks names kubeflow.org/{}, as that of "
      "its releases does",
      kind, lower_case(kind)));
}

}  // namespace gpu::manifest
