#pragma once

#include <array>

#include "lint/rules/rules.hpp"

// The rules of training.cpp, mpijob.cpp, trainjob.cpp, notebook.cpp and pod_groups.cpp.
namespace gpu::lint {

inline constexpr std::string_view kKubeflowWebhooks =
    "https://github.com/kubeflow/trainer/tree/release-1.9/pkg/webhooks";
inline constexpr std::string_view kMpiOperator = "https://github.com/kubeflow/mpi-operator";
inline constexpr std::string_view kTrainer = "https://github.com/kubeflow/trainer";
inline constexpr std::string_view kNotebooks = "https://github.com/kubeflow/notebooks";
inline constexpr std::string_view kLws = "https://github.com/kubernetes-sigs/lws";
inline constexpr std::string_view kVolcano = "https://github.com/volcano-sh/volcano";

inline constexpr auto kTrainingRules = std::to_array<Rule>({
    {"training-container-name", Severity::error, "no container has the name that is looked for",
     "The webhook refuses the job: the operator sets up the container pytorch of a PyTorchJob and "
     "tensorflow of a TFJob.",
     kKubeflowWebhooks},
    {"training-replica-type", Severity::error, "the kind has no replicas of that type",
     "A PyTorchJob has Master and Worker. A TFJob has Chief or Master, Worker, PS and Evaluator. "
     "An MPIJob has Launcher and Worker.",
     kKubeflowWebhooks},
    {"training-replica-count", Severity::error, "the number of replicas cannot be this",
     "A Master and a Launcher have exactly one replica, Workers at least one. A TFJob has a Chief "
     "or a Master, and not both.",
     kKubeflowWebhooks},
    {"training-name", Severity::error, "the name cannot be that of a training job",
     "Pods and Services are named after the job. The name begins with a small letter, and has "
     "small "
     "letters, digits and dashes.",
     kKubeflowWebhooks},
    {"training-restart-policy", Severity::error, "the restartPolicy of the replicas is not known",
     "Replicas of Kubeflow have Always, OnFailure, Never or ExitCode, and those of an MPIJob Never "
     "or OnFailure. The API server accepts any word.",
     kTrainer},
    {"training-restart-ignored", Severity::warning,
     "the restartPolicy of the pod is overwritten by that of the replicas",
     "The operator writes the restartPolicy of the replicas into the pods. Write it beside "
     "replicas.",
     kTrainer},
    {"training-clean-pod-policy", Severity::error, "cleanPodPolicy is not known",
     "It is None, Running or All. The API server accepts any word, and pods then stay as they are.",
     kTrainer},
    {"training-suspend-misplaced", Severity::error, "suspend does not stand in runPolicy",
     "spec.suspend is unknown: kubectl refuses it, and with --validate=false the job runs. Write "
     "spec.runPolicy.suspend.",
     kTrainer},
    {"nproc-not-text", Severity::error, "nprocPerNode of a PyTorchJob is a text",
     "The API server refuses a number: auto and gpu are allowed, too. Write \"8\", in quotes.",
     kTrainer},
    {"elastic-policy", Severity::error, "elasticPolicy does not go with the rest of the job",
     "The webhook refuses elasticPolicy without a Worker, and elasticPolicy.nProcPerNode beside "
     "nprocPerNode.",
     kKubeflowWebhooks},
    {"parameter-server-gpus", Severity::warning, "parameter servers hold GPUs",
     "A parameter server keeps variables in memory and computes on CPUs. Its GPUs stay idle.",
     kTrainer},
    {"launcher-holds-gpus", Severity::warning, "the launcher of an MPIJob holds GPUs",
     "The launcher only starts mpirun, and ranks run on the workers. Its GPUs stay idle unless "
     "runLauncherAsWorker is true.",
     kMpiOperator},
    {"mpi-slots", Severity::warning, "slotsPerWorker is not the number of GPUs of a worker",
     "mpirun starts a rank on each slot. The default is 1. With fewer slots than GPUs some stay "
     "idle, and with more ranks share one.",
     kMpiOperator},
    {"mpi-ranks", Severity::warning, "-np is not the number of slots of all workers",
     "mpirun refuses more ranks than there are slots, and with fewer GPUs stay idle.",
     kMpiOperator},
    {"mpi-implementation", Severity::error, "mpiImplementation is not known",
     "The API server accepts OpenMPI, Intel and MPICH.", kMpiOperator},
    {"mpi-version-field", Severity::error, "MPIJob v1 has no such field",
     "The field is of kubeflow.org/v2beta1, that of mpi-operator. kubectl refuses it in v1, and "
     "with --validate=false it is dropped.",
     kMpiOperator},
    {"trainjob-reserved-env", Severity::error, "the variable is set by Trainer",
     "Trainer's webhook refuses the TrainJob: the runtime sets PET_NNODES, PET_NPROC_PER_NODE, "
     "PET_NODE_RANK, PET_MASTER_ADDR and PET_MASTER_PORT.",
     kTrainer},
    {"trainjob-nproc", Severity::error, "numProcPerNode of a TrainJob is a number",
     "The API server refuses a text: only older versions had auto and gpu. Without the field it is "
     "the number of GPUs.",
     kTrainer},
    {"trainjob-overrides-gone", Severity::warning, "podTemplateOverrides is gone",
     "Trainer 2.3 does not know the field, and kubectl refuses it. Write runtimePatches.",
     kTrainer},
    {"trainjob-patch-field", Severity::error, "a runtime patch cannot set this field",
     "runtimePatches know only some fields of a pod, and kubectl refuses the others. Image, "
     "command "
     "and resources go into spec.trainer; for the rest write a TrainingRuntime of your own.",
     kTrainer},
    {"trainjob-patch-manager", Severity::error, "a runtime patch has no manager",
     "The API server refuses the patch. Write who makes it, as example.com/me.", kTrainer},
    {"trainjob-patch-env", Severity::error, "a runtime patch sets variables of the container node",
     "Trainer's webhook refuses it. Variables of the training go into spec.trainer.env.", kTrainer},
    {"notebook-claims", Severity::error, "a Notebook has no resource claims",
     "The pod of a Notebook has an older form, without claims. kubectl refuses the field, and with "
     "--validate=false the notebook gets no GPU. Write nvidia.com/gpu under limits.",
     kNotebooks},
    {"notebook-field-unknown", Severity::error, "a Notebook does not know this field",
     "kubectl refuses it, and with --validate=false it is dropped. Labels and annotations go on "
     "the "
     "Notebook itself.",
     kNotebooks},
    {"notebook-prefix", Severity::warning, "NB_PREFIX is set by the controller",
     "The controller sets it to /notebook/<namespace>/<name>. Another value ends in 404.",
     "https://github.com/kubeflow/kubeflow/issues/7291"},
    {"lws-size", Severity::error, "the size of a group cannot be this",
     "A group has at least one pod, its leader.", kLws},
    {"lws-size-missing", Severity::warning, "the group has a leader alone",
     "Without size a group has one pod, and no worker is created. Write the number of nodes.",
     kLws},
    {"lws-restart-policy", Severity::error, "the restartPolicy of the group is not known",
     "It is RecreateGroupOnPodRestart, RecreateGroupAfterStart or None.", kLws},
    {"lws-restart-deprecated", Severity::advice, "restartPolicy Default is deprecated",
     "It means None: a pod is restarted alone.", kLws},
    {"lws-pod-restart-policy", Severity::error, "the pods of a LeaderWorkerSet always restart",
     "They come from StatefulSets, which refuse any restartPolicy but Always: no pod is created.",
     kLws},
    {"lws-rollout", Severity::error, "maxUnavailable and maxSurge are both 0",
     "The webhook refuses it: a rollout could neither stop a group nor start one.", kLws},
    {"volcano-min-available", Severity::error, "minAvailable is above the number of pods",
     "Volcano's webhook refuses the Job: the gang could never be complete.", kVolcano},
    {"volcano-scheduler", Severity::warning, "a Volcano Job names another scheduler",
     "Only Volcano's scheduler starts the pods of a gang together.", kVolcano},
    {"volcano-event", Severity::error, "Volcano has no such event",
     "The API server refuses the policy.", kVolcano},
    {"volcano-task-name", Severity::error, "a task of Volcano cannot have this name",
     "A name has small letters, digits and dashes, at most 63, and is there once.", kVolcano},
});

enum class TrainingRule : std::size_t {
  container,
  replica_type,
  replica_count,
  name,
  restart,
  restart_ignored,
  clean_pods,
  suspend,
  nproc_text,
  elastic,
  parameter_server,
  launcher,
  slots,
  ranks,
  implementation,
  version_field,
  reserved_env,
  nproc_number,
  overrides,
  patch_field,
  patch_manager,
  patch_env,
  claims,
  notebook_field,
  prefix,
  size,
  size_missing,
  group_restart,
  group_restart_old,
  group_pods,
  group_rollout,
  min_available,
  scheduler,
  event,
  task_name,
};

constexpr const Rule& rule(TrainingRule which) {
  return kTrainingRules[static_cast<std::size_t>(which)];
}

void check_mpijob(const ObjectSubject& object, Findings& findings);
void check_trainjob(const ObjectSubject& object, Findings& findings);
void check_notebook(const ObjectSubject& object, Findings& findings);
void check_leader_worker_set(const ObjectSubject& object, Findings& findings);
void check_volcano_job(const ObjectSubject& object, Findings& findings);

}  // namespace gpu::lint
