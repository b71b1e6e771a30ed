#include "manifest/read/count_mistake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "base/split.hpp"
#include "base/text.hpp"
#include "manifest/read/json_value.hpp"

namespace gpu::manifest {
namespace {

using nlohmann::json;
using Pointer = json::json_pointer;

constexpr std::int64_t kMost32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMost64 = std::numeric_limits<std::int64_t>::max();

/// Fields of one group: where they stand, what they are called, and what their type holds.
struct Row {
  std::string_view group;
  std::string_view kinds;  ///< separated by blanks; empty: all of the group
  std::string_view at;     ///< "spec.tasks.*": `*` is each member of an object or list
  std::string_view keys;   ///< separated by blanks
  std::int64_t least = 0;
  std::int64_t most = kMost32;
};

constexpr std::string_view kKubeflowJobs =
    "PyTorchJob TFJob MPIJob XGBoostJob PaddleJob JAXJob MXJob";
constexpr std::string_view kJobCounts = "parallelism completions backoffLimit backoffLimitPerIndex";
constexpr std::string_view kDeadline = "activeDeadlineSeconds";
constexpr std::string_view kScale = "replicas minReplicas maxReplicas";

// What count.cpp, bounds.cpp, growth.cpp, outline.cpp and structure.cpp read, by the Go types and
// CRDs of its kinds: counts are int32, deadlines of Jobs int64.
constexpr auto kRows = std::to_array<Row>({
    {"", "Pod", "spec", kDeadline, 1},
    {"", "ReplicationController", "spec", "replicas"},
    {"apps", "Deployment ReplicaSet StatefulSet", "spec", "replicas"},
    {"apps", "StatefulSet", "spec.ordinals", "start"},
    {"batch", "Job", "spec", kJobCounts},
    {"batch", "Job", "spec", kDeadline, 0, kMost64},
    {"batch", "CronJob", "spec.jobTemplate.spec", kJobCounts},
    {"batch", "CronJob", "spec.jobTemplate.spec", kDeadline, 0, kMost64},
    {"autoscaling", "HorizontalPodAutoscaler", "spec", "minReplicas maxReplicas"},
    {"jobset.x-k8s.io", "JobSet", "spec.replicatedJobs.*", "replicas"},
    {"jobset.x-k8s.io", "JobSet", "spec.replicatedJobs.*.template.spec", kJobCounts},
    {"jobset.x-k8s.io", "JobSet", "spec.replicatedJobs.*.template.spec", kDeadline, 0, kMost64},
    {"jobset.x-k8s.io", "JobSet", "spec.failurePolicy", "maxRestarts"},
    {"leaderworkerset.x-k8s.io", "LeaderWorkerSet", "spec", "replicas"},
    {"leaderworkerset.x-k8s.io", "LeaderWorkerSet", "spec.leaderWorkerTemplate", "size"},
    {"kubeflow.org", kKubeflowJobs, "spec.*.*", "replicas"},
    {"kubeflow.org", kKubeflowJobs, "spec.runPolicy", "backoffLimit"},
    {"kubeflow.org", kKubeflowJobs, "spec.runPolicy", kDeadline, 0, kMost64},
    {"kubeflow.org", "PyTorchJob", "spec.elasticPolicy", "minReplicas maxReplicas"},
    {"kubeflow.org", "Experiment", "spec", "parallelTrialCount maxTrialCount"},
    {"trainer.kubeflow.org", "TrainJob", "spec.trainer", "numNodes"},
    {"trainer.kubeflow.org", "TrainJob", "spec", kDeadline, 0, kMost64},
    {"ray.io", "RayCluster", "spec.workerGroupSpecs.*", kScale},
    {"ray.io", "RayCluster", "spec.workerGroupSpecs.*", "numOfHosts"},
    {"ray.io", "RayJob", "spec.rayClusterSpec.workerGroupSpecs.*", kScale},
    {"ray.io", "RayJob", "spec.rayClusterSpec.workerGroupSpecs.*", "numOfHosts"},
    {"ray.io", "RayJob", "spec", "backoffLimit"},
    {"ray.io", "RayJob", "spec", kDeadline},
    {"ray.io", "RayService", "spec.rayClusterConfig.workerGroupSpecs.*", kScale},
    {"ray.io", "RayService", "spec.rayClusterConfig.workerGroupSpecs.*", "numOfHosts"},
    {"serving.kserve.io", "InferenceService", "spec.*", "minReplicas maxReplicas"},
    {"serving.kserve.io", "LLMInferenceService", "spec", kScale},
    {"serving.kserve.io", "LLMInferenceService", "spec.scaling", kScale},
    {"serving.kserve.io", "LLMInferenceService", "spec.prefill", kScale},
    {"serving.kserve.io", "LLMInferenceService", "spec.prefill.scaling", kScale},
    {"batch.volcano.sh", "Job", "spec.tasks.*", "replicas"},
    {"batch.volcano.sh", "Job", "spec", "maxRetry"},
    {"argoproj.io", "Rollout", "spec", "replicas"},
    {"sparkoperator.k8s.io", "SparkApplication", "spec.executor", "instances"},
    {"sparkoperator.k8s.io", "ScheduledSparkApplication", "spec.template.executor", "instances"},
    {"kubernetes.dask.org", "DaskCluster DaskWorkerGroup", "spec.worker", "replicas"},
    {"kubernetes.dask.org", "DaskJob", "spec.cluster.spec.worker", "replicas"},
    {"keda.sh", "ScaledObject", "spec", "minReplicaCount maxReplicaCount"},
    {"keda.sh", "ScaledJob", "spec", "maxReplicaCount"},
    {"keda.sh", "ScaledJob", "spec.jobTargetRef", kJobCounts},
    {"keda.sh", "ScaledJob", "spec.jobTargetRef", kDeadline, 0, kMost64},
    {"grove.io", "PodClique PodCliqueScalingGroup PodCliqueSet", "spec", "replicas"},
    {"grove.io", "PodCliqueSet", "spec.template.cliques.*.spec", "replicas"},
});

bool is_of(const Row& row, const KindName& name) {
  if (!has_group(name, row.group)) return false;
  const std::vector<std::string_view> kinds = split(row.kinds, ' ');
  return std::find(kinds.begin(), kinds.end(), name.kind) != kinds.end();
}

/// Nothing for a count that its type holds; `null` is as if it were not there.
std::optional<CountMistake> judged(const json& value, const Row& row, const Pointer& at) {
  constexpr std::size_t kMostShown = 40;
  using Kind = CountMistake::Kind;
  if (value.is_null()) return std::nullopt;
  const std::string shown = shorten_end(
      valid_utf8(value.dump(-1, ' ', false, json::error_handler_t::replace)), kMostShown, "...");
  if (!value.is_number_integer())
    return CountMistake{Kind::not_whole, at, fmt::format("expected a whole number, got {}", shown),
                        "write a whole number"};
  const bool is_huge =
      value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{kMost64};
  const std::int64_t number = is_huge ? kMost64 : value.get<std::int64_t>();
  if (is_huge || number > row.most)
    return CountMistake{Kind::out_of_range, at,
                        fmt::format("{} is more than the field holds", shown),
                        fmt::format("write at most {}", row.most)};
  if (number < row.least)
    return CountMistake{
        Kind::out_of_range, at,
        fmt::format("Invalid value: {}: must be greater than or equal to {}", shown, row.least),
        fmt::format("write a number from {} on", row.least)};
  return std::nullopt;
}

/// Looks at what stands at `parts` below `value`, in the order of the text as far as JSON keeps it.
std::optional<CountMistake> mistake_below(const json& value,
                                          std::span<const std::string_view> parts, const Row& row,
                                          const Pointer& at) {
  if (parts.empty()) {
    for (const std::string_view key : split(row.keys, ' '))
      if (const json* const count = member_of(value, key))
        if (auto mistake = judged(*count, row, at / std::string(key))) return mistake;
    return std::nullopt;
  }
  const auto rest = parts.subspan(1);
  if (parts.front() != "*") {
    const json* const member = member_of(value, parts.front());
    return member == nullptr ? std::nullopt
                             : mistake_below(*member, rest, row, at / std::string(parts.front()));
  }
  if (!value.is_structured()) return std::nullopt;
  std::size_t index = 0;
  for (const auto& [key, member] : value.items()) {
    const Pointer below = value.is_array() ? at / index++ : at / key;
    if (auto mistake = mistake_below(member, rest, row, below)) return mistake;
  }
  return std::nullopt;
}

}  // namespace

std::optional<CountMistake> mistake_in_counts(const json& object, const KindName& name) {
  for (const Row& row : kRows) {
    if (!is_of(row, name)) continue;
    const std::vector<std::string_view> parts = split(row.at, '.');
    if (auto mistake = mistake_below(object, parts, row, Pointer())) return mistake;
  }
  return std::nullopt;
}

}  // namespace gpu::manifest
