#pragma once

#include <array>

#include "lint/rules/rules.hpp"

// The rules of batch.cpp, pod_failure_policy.cpp and jobset.cpp.
namespace gpu::lint {

inline constexpr std::string_view kJobs =
    "https://kubernetes.io/docs/concepts/workloads/controllers/job";
inline constexpr std::string_view kJobSets = "https://github.com/kubernetes-sigs/jobset";

inline constexpr auto kBatchRules = std::to_array<Rule>({
    {"job-restart-policy", Severity::error, "a Job needs restartPolicy Never or OnFailure",
     "The API server refuses the Job: a pod that is always restarted never ends. Never creates a "
     "new pod for each retry. OnFailure restarts the container in the same pod.",
     kJobs},
    {"restart-policy-misplaced", Severity::error, "restartPolicy stands outside of the pod's spec",
     "A template has only metadata and spec. kubectl refuses the field, and with --validate=false "
     "it is dropped. Move it one level down, beside containers.",
     "https://github.com/ContainerSolutions/kubernetes-examples/pull/13"},
    {"workload-restart-policy", Severity::error, "the pods of this kind are always restarted",
     "The API server refuses any restartPolicy but Always here. For work that ends, use a Job.",
     "https://github.com/kubernetes/kubernetes/issues/111829"},
    {"failure-policy-restart", Severity::error, "podFailurePolicy needs restartPolicy Never",
     "The API server refuses the Job. With OnFailure the kubelet restarts the container, and the "
     "Job does not see the failure.",
     "https://github.com/kubernetes/kubernetes/issues/125677"},
    {"failure-policy-invalid", Severity::error, "a rule of podFailurePolicy is not valid",
     "The API server refuses the Job. Exit codes are sorted, each once, without 0 for In. A rule "
     "has onExitCodes or onPodConditions. There are at most 20 rules.",
     "https://kubernetes.io/docs/tasks/job/pod-failure-policy"},
    {"failure-policy-replacement", Severity::error,
     "podFailurePolicy needs podReplacementPolicy Failed",
     "The API server refuses any other value: whether a pod failed is known only once it ended.",
     kJobs},
    {"indexed-completions-missing", Severity::error, "an Indexed Job has no completions",
     "The API server refuses an Indexed Job with parallelism and without completions: there is a "
     "pod for each index below completions.",
     kJobs},
    {"ranks-not-parallel", Severity::advice, "not all ranks of an Indexed Job run at once",
     "Ranks wait for each other. Where parallelism is below completions, some start only after "
     "others ended. Write the number of nodes for both.",
     kJobs},
    {"job-name-too-long", Severity::error, "the name is too long for this kind",
     "The API server refuses a Job of more than 63 characters, since its pods carry the name as a "
     "label. A CronJob has at most 52: a time is appended to it.",
     "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs"},
    {"job-name-dots", Severity::warning, "the name of a Job has a dot",
     "The API server warns: pods take their host name from it, and a host name has no dots.",
     kJobs},
    {"indexed-pod-name", Severity::error, "the pods of an Indexed Job cannot have such names",
     "The host name of a pod is the name of the Job, a dash and the index. It is at most 63 "
     "characters long and has no dots. The API server refuses the Job.",
     kJobs},
    {"failing-job-holds-gpus", Severity::advice, "a failing Job takes its GPUs seven times",
     "Without backoffLimit a Job is tried seven times, and without activeDeadlineSeconds there is "
     "no end to a try. Write one of them.",
     kJobs},
    {"jobset-first-depends", Severity::error, "the first replicatedJob cannot have dependsOn",
     "JobSet's webhook refuses it: a job can wait only for those that are listed before it.",
     kJobSets},
    {"jobset-startup-and-depends", Severity::error, "startupPolicy InOrder stands beside dependsOn",
     "The API server refuses the JobSet: both say the order of starting.", kJobSets},
    {"jobset-name-too-long", Severity::error, "the names of a JobSet's pods are too long",
     "A pod is called <jobset>-<replicatedJob>-<job index>-<pod index>, of at most 63 characters.",
     kJobSets},
    {"rollout-needs-spare-gpus", Severity::advice, "a rollout waits for GPUs to spare",
     "A rolling update first starts a new pod and then stops an old one. Where no GPU is free for "
     "it, the update never ends. Write maxSurge: 0, or type: Recreate for one replica.",
     "https://github.com/kserve/kserve/issues/4618"},
    {"queue-label-misplaced", Severity::error, "Kueue does not see the name of the queue here",
     "Kueue reads the label kueue.x-k8s.io/queue-name of the object itself; of a CronJob, that of "
     "its jobTemplate. Annotations, labels of the pod template and kubernetes.io/queue-name do "
     "nothing, and the object starts without a quota, or not at all.",
     "https://github.com/kubernetes-sigs/kueue"},
});

enum class BatchRule : std::size_t {
  restart,
  misplaced,
  workload_restart,
  failure_restart,
  failure_invalid,
  failure_replacement,
  completions,
  ranks,
  long_name,
  dots,
  pod_name,
  retries,
  first_depends,
  startup_depends,
  set_name,
  rollout,
  queue,
};

constexpr const Rule& rule(BatchRule which) { return kBatchRules[static_cast<std::size_t>(which)]; }

/// A Job, or what Jobs are made of: the jobTemplate of a CronJob, a template of a JobSet.
struct JobSubject {
  const ObjectSubject& owner;
  const json& job;  ///< has the spec
  Pointer at;       ///< in the document
  bool is_in_set = false;
};

void check_failure_policy(const JobSubject& job, Findings& findings);
void check_jobset(const ObjectSubject& object, Findings& findings);
void check_queue_label(const ObjectSubject& object, Findings& findings);

}  // namespace gpu::lint
