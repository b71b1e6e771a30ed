#include "model/snapshot/workload.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "model/objects/own_kind.hpp"

namespace gpu {
namespace {

constexpr bool kTop = false;
constexpr bool kMayBeOwned = true;

// Kinds, groups and served versions as their CRDs name them. What a controller never stands above
// is not here: PodGroups and Kueue's Workloads point at workloads, they do not own pods.
constexpr auto kKinds = std::to_array<WorkloadKind>({
    // A pod can control: the leader of a LeaderWorkerSet group, the driver of a Spark application.
    {"Pod", "", "v1", "pods", "po", kMayBeOwned},
    {"ReplicationController", "", "v1", "replicationcontrollers", "rc", kMayBeOwned},
    {"Deployment", "apps", "v1", "deployments", "deploy", kMayBeOwned},
    {"ReplicaSet", "apps", "v1", "replicasets", "rs", kMayBeOwned},
    {"StatefulSet", "apps", "v1", "statefulsets", "sts", kMayBeOwned},
    {"DaemonSet", "apps", "v1", "daemonsets", "ds", kTop},
    {"Job", "batch", "v1", "jobs", "", kMayBeOwned},
    {"CronJob", "batch", "v1", "cronjobs", "cj", kTop},
    {"JobSet", "jobset.x-k8s.io", "v1alpha2", "jobsets", "", kMayBeOwned},
    {"LeaderWorkerSet", "leaderworkerset.x-k8s.io", "v1", "leaderworkersets", "lws", kMayBeOwned},
    {"PyTorchJob", "kubeflow.org", "v1", "pytorchjobs", "", kMayBeOwned},
    {"TFJob", "kubeflow.org", "v1", "tfjobs", "", kMayBeOwned},
    {"MPIJob", "kubeflow.org", "v2beta1 v1", "mpijobs", "", kMayBeOwned},
    {"XGBoostJob", "kubeflow.org", "v1", "xgboostjobs", "", kMayBeOwned},
    {"PaddleJob", "kubeflow.org", "v1", "paddlejobs", "", kMayBeOwned},
    {"JAXJob", "kubeflow.org", "v1", "jaxjobs", "", kMayBeOwned},
    {"MXJob", "kubeflow.org", "v1", "mxjobs", "", kMayBeOwned},
    {"Trial", "kubeflow.org", "v1beta1", "trials", "", kMayBeOwned},
    {"Experiment", "kubeflow.org", "v1beta1", "experiments", "", kTop},
    {"Notebook", "kubeflow.org", "v1 v1beta1 v1alpha1", "notebooks", "", kTop},
    {"TrainJob", "trainer.kubeflow.org", "v1alpha1", "trainjobs", "", kMayBeOwned},
    {"RayCluster", "ray.io", "v1 v1alpha1", "rayclusters", "", kMayBeOwned},
    {"RayJob", "ray.io", "v1 v1alpha1", "rayjobs", "", kMayBeOwned},
    {"RayService", "ray.io", "v1 v1alpha1", "rayservices", "", kTop},
    {"InferenceService", "serving.kserve.io", "v1beta1", "inferenceservices", "isvc", kTop},
    {"LLMInferenceService", "serving.kserve.io", "v1alpha2 v1alpha1", "llminferenceservices",
     "llmisvc", kTop},
    {"Service", "serving.knative.dev", "v1", "services", "ksvc kservice", kMayBeOwned},
    {"Configuration", "serving.knative.dev", "v1", "configurations", "config cfg", kMayBeOwned},
    {"Revision", "serving.knative.dev", "v1", "revisions", "rev", kMayBeOwned},
    {"Job", "batch.volcano.sh", "v1alpha1", "jobs", "vcjob vj", kMayBeOwned},
    {"Workflow", "argoproj.io", "v1alpha1", "workflows", "wf", kMayBeOwned},
    {"CronWorkflow", "argoproj.io", "v1alpha1", "cronworkflows", "cwf cronwf", kTop},
    {"Rollout", "argoproj.io", "v1alpha1", "rollouts", "ro", kTop},
    {"SparkApplication", "sparkoperator.k8s.io", "v1beta2", "sparkapplications", "sparkapp",
     kMayBeOwned},
    {"ScheduledSparkApplication", "sparkoperator.k8s.io", "v1beta2", "scheduledsparkapplications",
     "scheduledsparkapp", kTop},
    {"TaskRun", "tekton.dev", "v1 v1beta1", "taskruns", "tr", kMayBeOwned},
    {"PipelineRun", "tekton.dev", "v1 v1beta1", "pipelineruns", "pr", kTop},
    {"DaskWorkerGroup", "kubernetes.dask.org", "v1", "daskworkergroups", "daskworkers",
     kMayBeOwned},
    {"DaskCluster", "kubernetes.dask.org", "v1", "daskclusters", "daskcluster", kMayBeOwned},
    {"DaskJob", "kubernetes.dask.org", "v1", "daskjobs", "", kTop},
    {"FlyteWorkflow", "flyte.lyft.com", "v1alpha1", "flyteworkflows", "fly", kTop},
    {"PodClique", "grove.io", "v1alpha1", "podcliques", "pclq", kMayBeOwned},
    {"PodCliqueScalingGroup", "grove.io", "v1alpha1", "podcliquescalinggroups", "pcsg",
     kMayBeOwned},
    {"PodCliqueSet", "grove.io", "v1alpha1", "podcliquesets", "pcs", kTop},
});

// It makes no pods: what is in it does. Kueue queues it as one.
constexpr WorkloadKind kAppWrapper = {
    "AppWrapper", "workload.codeflare.dev", "v1beta2", "appwrappers", "aw", kTop};

std::string_view group_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view{} : api_version.substr(0, slash);
}

/// Whether `words`, separated by blanks, hold `word`.
bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (equal_ignoring_case(words.substr(0, end), word)) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

/// `service` alone is core's, which owns nothing: Knative's needs its group.
bool means_another_kind(const WorkloadKind& kind, std::string_view group) {
  return group.empty() && kind.plural == "services";
}

/// "batch" or "v1.batch" for kinds of the group batch.
bool is_group(const WorkloadKind& kind, std::string_view suffix) {
  if (suffix.empty() || equal_ignoring_case(suffix, kind.group)) return true;
  const std::size_t dot = suffix.find('.');
  return dot != std::string_view::npos && has_word(kind.versions, suffix.substr(0, dot)) &&
         equal_ignoring_case(suffix.substr(dot + 1), kind.group);
}

bool is_named(const WorkloadKind& kind, std::string_view name) {
  if (has_word(kind.names, name)) return true;
  const std::size_t dot = std::min(name.find('.'), name.size());
  const std::string_view word = name.substr(0, dot);
  const std::string_view group = name.substr(std::min(dot + 1, name.size()));
  const bool is_word =
      equal_ignoring_case(word, kind.plural) || equal_ignoring_case(word, kind.kind);
  return is_word && is_group(kind, group) && !means_another_kind(kind, group);
}

const OwnerReference* controller_in(const std::vector<OwnerReference>& owners) {
  const auto found = std::find_if(owners.begin(), owners.end(),
                                  [](const OwnerReference& owner) { return owner.controller; });
  return found == owners.end() ? nullptr : &*found;
}

}  // namespace

std::span<const WorkloadKind> workload_kinds() { return kKinds; }

const WorkloadKind* workload_kind(std::string_view kind, std::string_view api_version) {
  const std::string_view group = group_of(api_version);
  const auto* const found =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const WorkloadKind& each) {
        // Flyte writes `flyteworkflow` into the references that it makes.
        return each.group == group && equal_ignoring_case(each.kind, kind);
      });
  return found == std::end(kKinds) ? nullptr : found;
}

const WorkloadKind* queued_kind(std::string_view kind, std::string_view api_version) {
  const bool is_wrapper = kind == kAppWrapper.kind && group_of(api_version) == kAppWrapper.group;
  return is_wrapper ? &kAppWrapper : workload_kind(kind, api_version);
}

const WorkloadKind* workload_kind_named(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kKinds), std::end(kKinds),
                   [&](const WorkloadKind& kind) { return is_named(kind, name); });
  return found == std::end(kKinds) ? nullptr : found;
}

Owner top_owner(const Pod& pod, const Snapshot& snapshot) {
  constexpr int kMostSteps = 8;
  const OwnerReference* above = controller_in(pod.owners);
  if (above == nullptr || is_own(*above, "Node")) return {"Pod", pod.name, pod.uid, "v1"};
  for (int step = 1; step < kMostSteps; ++step) {
    const auto found = snapshot.controllers.find(above->uid);
    if (found == snapshot.controllers.end()) break;
    const std::optional<OwnerReference>& controller = found->second;
    if (!controller) break;
    above = &*controller;
  }
  return {above->kind, above->name, above->uid, above->api_version};
}

}  // namespace gpu
