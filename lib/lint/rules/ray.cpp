#include <fmt/format.h>

#include <array>

#include "lint/rules/rules.hpp"
#include "lint/rules/values.hpp"

namespace gpu::lint {
namespace {

constexpr std::string_view kKubeRay = "https://github.com/ray-project/kuberay";
constexpr std::string_view kValidation =
    "https://github.com/ray-project/kuberay/blob/master/ray-operator/controllers/ray/utils/"
    "validation.go";

constexpr auto kRules = std::to_array<Rule>({
    {"ray-name", Severity::error, "the name cannot be that of a Ray object",
     "KubeRay names pods and Services after it: at most 53 characters for a RayCluster, 47 for a "
     "RayJob and a RayService. It begins with a small letter, and has small letters, digits and "
     "dashes. The API server accepts others, and KubeRay then does nothing.",
     kValidation},
    {"ray-version-deprecated", Severity::warning, "ray.io/v1alpha1 is deprecated",
     "It goes away with KubeRay 1.9, and its RayJob has no activeDeadlineSeconds and no "
     "backoffLimit.",
     kKubeRay},
    {"ray-group-incomplete", Severity::error, "a worker group needs a groupName and a template",
     "The API server refuses the object.", kKubeRay},
    {"ray-no-workers", Severity::warning, "the worker group has no replicas",
     "The default is 0: no worker is started. Write replicas, minReplicas and maxReplicas.",
     kKubeRay},
    {"ray-replica-bounds", Severity::error, "minReplicas is above maxReplicas",
     "No number of workers meets both.", kKubeRay},
    {"ray-start-param-not-text", Severity::error, "a value of rayStartParams is no text",
     "The API server refuses numbers and booleans. Write them in quotes.", kKubeRay},
    {"ray-num-gpus", Severity::warning, "num-gpus is not the number of GPUs of the container",
     "KubeRay takes the number from the limit. With another number Ray starts more tasks than "
     "there "
     "are GPUs, or leaves some idle. Leave it out.",
     kKubeRay},
    {"ray-resources-twice", Severity::error,
     "rayStartParams and resources both say what a node has",
     "KubeRay refuses the cluster. Write the amounts in one of them.", kValidation},
    {"ray-head-holds-gpus", Severity::advice, "the head holds GPUs",
     "The head schedules for all others. A task that takes its memory ends the whole cluster, so "
     "work belongs on the workers.",
     kKubeRay},
    {"ray-cpu-missing", Severity::warning, "a Ray container has no CPU limit",
     "KubeRay tells Ray the CPUs of the limit, and newer versions those of the request. Without "
     "both Ray counts all CPUs of the node, and starts as many tasks.",
     kKubeRay},
    {"ray-service-cluster", Severity::error, "a RayService has no rayClusterSpec",
     "Its cluster is called rayClusterConfig. The API server refuses the RayService.", kKubeRay},
    {"ray-serve-config", Severity::error, "serveConfigV2 is no text",
     "The API server refuses a map: it is YAML in a text. Write serveConfigV2: | and indent what "
     "follows.",
     kKubeRay},
    {"ray-ttl-without-shutdown", Severity::error,
     "ttlSecondsAfterFinished needs shutdownAfterJobFinishes",
     "KubeRay refuses the RayJob, and its cluster would keep its GPUs.", kValidation},
    {"ray-suspend-without-shutdown", Severity::error, "suspend needs shutdownAfterJobFinishes",
     "KubeRay refuses the RayJob: a cluster that stays cannot be suspended.", kValidation},
    {"ray-retries-of-selector", Severity::error, "backoffLimit is set beside clusterSelector",
     "Each retry has a new cluster, and a RayJob with clusterSelector uses one that is there. "
     "KubeRay refuses the RayJob.",
     kKubeRay},
    {"ray-submission-mode", Severity::error, "submissionMode is not known",
     "It is K8sJobMode, HTTPMode, InteractiveMode or SidecarMode. The API server accepts any word, "
     "and KubeRay does not start the job.",
     kKubeRay},
    {"ray-autoscaler-restart", Severity::error, "autoscaler v2 needs restartPolicy Never",
     "KubeRay refuses the cluster: the autoscaler replaces pods itself.", kValidation},
});

enum RuleAt : std::size_t {
  kName,
  kVersion,
  kIncomplete,
  kNoWorkers,
  kBounds,
  kParam,
  kNumGpus,
  kTwice,
  kHead,
  kCpu,
  kServiceCluster,
  kServeConfig,
  kTtl,
  kSuspend,
  kRetries,
  kMode,
  kAutoscaler,
};

constexpr auto kModes =
    std::to_array<std::string_view>({"K8sJobMode", "HTTPMode", "InteractiveMode", "SidecarMode"});

/// Whether KubeRay knows the CPUs of a Ray container.
bool knows_cpus(const ContainerSubject& ray, const json& group) {
  for (const char* const which : {"limits", "requests"})
    if (ray.amounts(which).contains("cpu")) return true;
  return map_at(group, "/rayStartParams").contains("num-cpus") ||
         !map_at(group, "/resources").empty();
}

/// The cluster of a Ray object.
class Cluster {
 public:
  Cluster(const ObjectSubject& object, const char* spec, Findings& findings)
      : object_(object),
        spec_(object.value(spec)),
        at_(object.in_document(spec)),
        findings_(findings) {}

  void check() {
    if (!spec_.is_object()) return;
    if (const json& head = value_at(spec_, Pointer("/headGroupSpec")); head.is_object()) {
      check_group(head, at_ / "headGroupSpec");
      check_head(head);
    }
    const json& groups = list_at(spec_, "/workerGroupSpecs");
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (!groups[i].is_object()) continue;
      const Pointer at = at_ / "workerGroupSpecs" / i;
      check_group(groups[i], at);
      check_workers(groups[i], at);
    }
  }

 private:
  /// What head and workers have in common.
  void check_group(const json& group, const Pointer& at) {
    for (const auto& [name, value] : map_at(group, "/rayStartParams").items()) {
      const Pointer here = at / "rayStartParams" / name;
      if (!value.is_number() && !value.is_boolean()) continue;
      findings_.add(kRules[kParam], here,
                    fmt::format("{} is {}, which is no text", name, written(value)),
                    fmt::format("write \"{}\", in quotes", written(value)),
                    Edit{Edit::Kind::set, here, written(value)});
    }
    check_twice(group, at);
    check_restart(group, at);
    // KubeRay starts Ray in the first container.
    bool is_first = true;
    for_each_container_in(object_, value_at(group, Pointer("/template/spec")),
                          at / "template" / "spec", [&](const ContainerSubject& each) {
                            if (each.is_init || !is_first) return;
                            is_first = false;
                            check_ray_container(group, at, each);
                          });
  }

  void check_twice(const json& group, const Pointer& at) {
    if (map_at(group, "/resources").empty()) return;
    for (const char* const name : {"num-cpus", "num-gpus", "memory", "resources"})
      if (map_at(group, "/rayStartParams").contains(name)) {
        findings_.add(
            kRules[kTwice], at / "rayStartParams" / name,
            fmt::format("{} is in rayStartParams, and resources of the group are set, too", name),
            "leave it out of rayStartParams",
            Edit{Edit::Kind::remove, at / "rayStartParams" / name, {}});
        return;
      }
  }

  void check_restart(const json& group, const Pointer& at) {
    const std::string_view policy = text_at(group, "/template/spec/restartPolicy");
    const json& is_scaled = value_at(spec_, Pointer("/enableInTreeAutoscaling"));
    if (is_scaled != true || text_at(spec_, "/autoscalerOptions/version") != "v2") return;
    if (policy.empty() || policy == "Never") return;
    const Pointer here = at / Pointer("/template/spec/restartPolicy");
    findings_.add(kRules[kAutoscaler], here,
                  fmt::format("restartPolicy is {} in a cluster with autoscaler v2", policy),
                  "write Never", Edit{Edit::Kind::set, here, "Never"});
  }

  void check_ray_container(const json& group, const Pointer& at, const ContainerSubject& ray) {
    const json& typed = value_at(group, Pointer("/rayStartParams/num-gpus"));
    const auto number = whole_number(written(typed));
    const bool has_claims = !list_at(ray.container, "/resources/claims").empty();
    const std::int64_t gpus = gpus_of(ray);
    const bool is_said_twice = !map_at(group, "/resources").empty();
    if (number && *number != gpus && !has_claims && !is_said_twice)
      findings_.add(kRules[kNumGpus], at / "rayStartParams" / "num-gpus",
                    fmt::format("num-gpus is {}, and the container has {} GPU{}", *number, gpus,
                                gpus == 1 ? "" : "s"),
                    "leave it out",
                    Edit{Edit::Kind::remove, at / "rayStartParams" / "num-gpus", {}});
    if (!knows_cpus(ray, group))
      findings_.add(kRules[kCpu], ray.at / "resources" / "limits",
                    fmt::format("container {} has no CPU limit, so Ray counts all CPUs of the node",
                                ray.name()),
                    "write cpu under limits");
  }

  void check_head(const json& head) {
    const std::int64_t gpus = gpus_in(object_, value_at(head, Pointer("/template/spec")));
    if (gpus > 0)
      findings_.add(kRules[kHead], at_ / "headGroupSpec" / "template",
                    fmt::format("the head holds {} GPU{}", gpus, gpus == 1 ? "" : "s"),
                    "leave GPUs to the workers, and write num-cpus: \"0\" for the head");
  }

  void check_workers(const json& group, const Pointer& at) {
    const std::string_view typed = text_at(group, "/groupName");
    const std::string name(typed.empty() ? "without a name" : typed);
    if (typed.empty())
      findings_.add(kRules[kIncomplete], at / "groupName", "the worker group has no groupName",
                    "write a name, as gpu");
    if (value_at(group, Pointer("/template")).is_null())
      findings_.add(kRules[kIncomplete], at / "template",
                    fmt::format("the worker group {} has no template", name), "write a template");
    const json& replicas = value_at(group, Pointer("/replicas"));
    const auto least = integer_at(group, "/minReplicas");
    const auto most = integer_at(group, "/maxReplicas");
    // KubeRay raises replicas to minReplicas, and its autoscaler raises them by itself.
    const json& is_scaled = value_at(spec_, Pointer("/enableInTreeAutoscaling"));
    if (replicas.is_null() && is_scaled != true && least.value_or(0) == 0)
      findings_.add(kRules[kNoWorkers], at / "replicas",
                    fmt::format("the worker group {} has no replicas, and gets no worker", name),
                    "write replicas: 1");
    if (least && most && *least > *most)
      findings_.add(kRules[kBounds], at / "minReplicas",
                    fmt::format("minReplicas is {}, and maxReplicas {}", *least, *most),
                    fmt::format("write at most {}", *most));
  }

  const ObjectSubject& object_;
  const json& spec_;
  Pointer at_;
  Findings& findings_;
};

void check_name(const ObjectSubject& object, std::size_t most, Findings& findings) {
  const std::string_view name = text_at(object.object, "/metadata/name");
  const Pointer at = object.in_document("/metadata/name");
  if (name.size() > most)
    findings.add(kRules[kName], at,
                 fmt::format("the name of the {} has {} characters", object.name.kind, name.size()),
                 fmt::format("write at most {} characters", most));
  else if (!name.empty() && !is_dns_1035(name))
    findings.add(kRules[kName], at, fmt::format("a {} cannot be called {}", object.name.kind, name),
                 "begin with a small letter, and write small letters, digits and dashes");
}

void check_job(const ObjectSubject& object, Findings& findings) {
  const bool shuts_down = object.value("/spec/shutdownAfterJobFinishes") == true;
  const bool has_rules = object.value("/spec/deletionStrategy").is_object();
  const Pointer shutdown = object.in_document("/spec/shutdownAfterJobFinishes");
  // Rules of deletion exclude shutdownAfterJobFinishes.
  const auto edit = has_rules ? std::optional<Edit>() : Edit{Edit::Kind::set, shutdown, true};
  const auto ttl = integer_at(object.object, "/spec/ttlSecondsAfterFinished");
  if (ttl && *ttl > 0 && !shuts_down)
    findings.add(
        kRules[kTtl], object.in_document("/spec/ttlSecondsAfterFinished"),
        fmt::format("ttlSecondsAfterFinished is {} without shutdownAfterJobFinishes", *ttl),
        has_rules ? "leave out ttlSecondsAfterFinished" : "write shutdownAfterJobFinishes: true",
        edit);
  if (object.value("/spec/suspend") == true && !shuts_down)
    findings.add(kRules[kSuspend], object.in_document("/spec/suspend"),
                 "the RayJob is suspended without shutdownAfterJobFinishes",
                 "write shutdownAfterJobFinishes: true", edit);
  const auto retries = integer_at(object.object, "/spec/backoffLimit");
  const Pointer retries_at = object.in_document("/spec/backoffLimit");
  if (retries && *retries > 0 && !map_at(object.object, "/spec/clusterSelector").empty())
    findings.add(kRules[kRetries], retries_at,
                 fmt::format("backoffLimit is {} beside clusterSelector", *retries),
                 "leave out backoffLimit", Edit{Edit::Kind::remove, retries_at, {}});
  const std::string_view mode = text_at(object.object, "/spec/submissionMode");
  const Pointer mode_at = object.in_document("/spec/submissionMode");
  if (!mode.empty() && !is_one_of(mode, kModes))
    findings.add(kRules[kMode], mode_at, fmt::format("there is no submissionMode {}", mode),
                 write_one(mode, kModes), set_nearest(mode, kModes, mode_at));
}

void check_service(const ObjectSubject& object, Findings& findings) {
  const Pointer wrong = object.in_document("/spec/rayClusterSpec");
  if (!object.value("/spec/rayClusterSpec").is_null())
    findings.add(kRules[kServiceCluster], wrong, "the RayService has rayClusterSpec",
                 "write rayClusterConfig",
                 object.value("/spec/rayClusterConfig").is_null()
                     ? std::optional(Edit{Edit::Kind::rename, wrong, "rayClusterConfig"})
                     : std::nullopt);
  const json& config = object.value("/spec/serveConfigV2");
  if (!config.is_null() && !config.is_string())
    findings.add(
        kRules[kServeConfig], object.in_document("/spec/serveConfigV2"),
        fmt::format("serveConfigV2 is a {}, and not a text", config.is_array()    ? "list"
                                                             : config.is_object() ? "map"
                                                                                  : "number"),
        "write serveConfigV2: | before it");
}

}  // namespace

std::span<const Rule> ray_rules() { return kRules; }

void check_ray(const ObjectSubject& object, Findings& findings) {
  constexpr std::size_t kMostOfCluster = 53;
  constexpr std::size_t kMostOfOthers = 47;
  const bool is_cluster = object.is("RayCluster", "ray.io");
  const bool is_job = object.is("RayJob", "ray.io");
  const bool is_service = object.is("RayService", "ray.io");
  if (!is_cluster && !is_job && !is_service) return;
  check_name(object, is_cluster ? kMostOfCluster : kMostOfOthers, findings);
  const Pointer version = object.in_document("/apiVersion");
  if (object.name.api_version == "ray.io/v1alpha1")
    findings.add(kRules[kVersion], version, "ray.io/v1alpha1 is deprecated", "write ray.io/v1",
                 Edit{Edit::Kind::set, version, "ray.io/v1"});
  if (is_job) check_job(object, findings);
  if (is_service) check_service(object, findings);
  for (const char* const spec : {"/spec/rayClusterSpec", "/spec/rayClusterConfig"})
    if (!is_cluster) Cluster(object, spec, findings).check();
  if (is_cluster) Cluster(object, "/spec", findings).check();
}

}  // namespace gpu::lint
