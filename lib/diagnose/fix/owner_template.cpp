#include "diagnose/fix/owner_template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/ascii.hpp"

namespace gpu::diagnose {
namespace {

/// The member of spec that holds the replicas of a kind of kubeflow.org.
struct ReplicaSpecs {
  std::string_view kind;
  std::string_view member;
};
constexpr auto kReplicaSpecs = std::to_array<ReplicaSpecs>({{"PyTorchJob", "pytorchReplicaSpecs"},
                                                            {"TFJob", "tfReplicaSpecs"},
                                                            {"MPIJob", "mpiReplicaSpecs"},
                                                            {"XGBoostJob", "xgbReplicaSpecs"},
                                                            {"PaddleJob", "paddleReplicaSpecs"},
                                                            {"JAXJob", "jaxReplicaSpecs"},
                                                            {"MXJob", "mxReplicaSpecs"}});

/// Replica types as they are written; labels have them in lower case.
constexpr auto kTypes = std::to_array<std::string_view>(
    {"Master", "Worker", "Chief", "PS", "Evaluator", "Launcher", "Scheduler", "Server"});

std::string of_kubeflow(const Owner& owner, const Pod& pod) {
  const auto* const specs =
      std::find_if(kReplicaSpecs.begin(), kReplicaSpecs.end(),
                   [&](const ReplicaSpecs& each) { return each.kind == owner.kind; });
  if (specs == kReplicaSpecs.end()) return {};
  std::string_view label = value_of(pod.labels, "training.kubeflow.org/replica-type");
  if (label.empty()) label = value_of(pod.labels, "training.kubeflow.org/job-role");
  const auto* const type = std::find_if(kTypes.begin(), kTypes.end(), [&](std::string_view each) {
    return equal_ignoring_case(each, label);
  });
  if (type == kTypes.end()) return {};
  return fmt::format("spec.{}.{}.template", specs->member, *type);
}

std::string of_ray(const Owner& owner, const Pod& pod) {
  std::string_view cluster = "spec";
  if (owner.kind == "RayJob") cluster = "spec.rayClusterSpec";
  if (owner.kind == "RayService") cluster = "spec.rayClusterConfig";
  const std::string_view type = value_of(pod.labels, "ray.io/node-type");
  const std::string_view group = value_of(pod.labels, "ray.io/group");
  if (type == "head") return fmt::format("{}.headGroupSpec.template", cluster);
  if (type != "worker" || group.empty()) return {};
  return fmt::format("the template of {} in {}.workerGroupSpecs", group, cluster);
}

std::string of_job_set(const Pod& pod) {
  const std::string_view name = value_of(pod.labels, "jobset.sigs.k8s.io/replicatedjob-name");
  return name.empty() ? std::string()
                      : fmt::format("the pods' template of {} in spec.replicatedJobs", name);
}

/// Where the pods' spec stands in an owner of another kind. Of several it follows from a label of
/// the pod: `text` has {} for its value then, and the row counts only where the pod has it.
struct Place {
  std::string_view kind;
  std::string_view group;
  std::string_view text;
  std::string_view label = {};
};

// Sources: KServe, NVIDIA NIM operator, Knative, Kubeflow's notebook-controller, LeaderWorkerSet,
// Spark operator, Argo Workflows, Volcano, Trainer, by the fields of their CRDs.
constexpr auto kPlaces = std::to_array<Place>({
    {"InferenceService", "serving.kserve.io", "spec.{}", "component"},
    {"InferenceService", "serving.kserve.io", "spec.predictor"},
    {"LLMInferenceService", "serving.kserve.io", "spec.template"},
    {"NIMService", "apps.nvidia.com", "spec"},
    {"Service", "serving.knative.dev", "spec.template.spec"},
    {"Configuration", "serving.knative.dev", "spec.template.spec"},
    {"Notebook", "kubeflow.org", "spec.template.spec"},
    {"Rollout", "argoproj.io", "spec.template.spec"},
    {"Workflow", "argoproj.io", "spec, or its step in spec.templates,"},
    {"CronWorkflow", "argoproj.io", "spec.workflowSpec, or its step in its templates,"},
    {"SparkApplication", "sparkoperator.k8s.io", "spec.{}", "spark-role"},
    {"LeaderWorkerSet", "leaderworkerset.x-k8s.io",
     "the template of the pod in spec.leaderWorkerTemplate"},
    {"Job", "batch.volcano.sh", "the template of {} in spec.tasks", "volcano.sh/task-spec"},
    {"TrainJob", "trainer.kubeflow.org", "the patches of its runtime in spec"},
});

std::string of_others(const Owner& owner, const Pod& pod) {
  const std::string_view version = owner.api_version;
  const std::string_view group = version.substr(0, version.find('/'));
  for (const Place& place : kPlaces) {
    if (place.kind != owner.kind || place.group != group) continue;
    if (place.label.empty()) return std::string(place.text);
    if (const std::string_view value = value_of(pod.labels, place.label); !value.empty())
      return fmt::format(fmt::runtime(place.text), value);
  }
  return {};
}

}  // namespace

std::string template_of(const Owner& owner, const Pod& pod) {
  if (owner.api_version.starts_with("kubeflow.org/") && owner.kind != "Notebook")
    return of_kubeflow(owner, pod);
  if (owner.api_version.starts_with("ray.io/")) return of_ray(owner, pod);
  if (owner.api_version.starts_with("jobset.x-k8s.io/")) return of_job_set(pod);
  return of_others(owner, pod);
}

Owner template_owner(const Pod& pod, const Snapshot& snapshot) {
  Owner owner = top_owner(pod, snapshot);
  const std::string_view service = value_of(pod.labels, "serving.knative.dev/service");
  if (service.empty() || (owner.kind != "Deployment" && owner.kind != "ReplicaSet")) return owner;
  return {"Service", std::string(service), owner.uid, "serving.knative.dev/v1"};
}

}  // namespace gpu::diagnose
