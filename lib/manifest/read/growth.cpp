#include "manifest/read/growth.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/quantity.hpp"
#include "manifest/read/count.hpp"
#include "manifest/read/json_value.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::manifest {
namespace {

using nlohmann::json;
using Pointer = json::json_pointer;

/// What KubeRay's CRD fills in for no limit.
constexpr std::int64_t kNoLimit = std::numeric_limits<std::int32_t>::max();
/// What KEDA takes where a ScaledObject or ScaledJob does not say it.
constexpr std::int64_t kUsualOfKeda = 100;

/// How many replicas a field allows.
struct Limit {
  std::optional<std::int64_t> most;  ///< nothing: none is known
  std::string by;                    ///< as PodGrowth::by
  bool is_set = false;
};

Limit not_set(const std::string& field) { return {.most = {}, .by = field + " is not set"}; }

Limit limit_of(std::optional<std::int64_t> number, const std::string& field) {
  if (!number || *number < 0)
    return {.most = {}, .by = field + " is no whole number from 0 on", .is_set = true};
  if (*number >= kNoLimit) return {.most = {}, .by = field + " sets no limit", .is_set = true};
  return {.most = number, .by = field, .is_set = true};
}

/// Of the member `key`, which is called `field`.
Limit limit_at(const json& object, std::string_view key, const std::string& field) {
  const json* const value = member_of(object, key);
  if (value == nullptr) return not_set(field);
  if (!value->is_number_integer()) return limit_of(std::nullopt, field);
  // 2^63 and more is no number of int64_t.
  if (value->is_number_unsigned() && value->get<std::uint64_t>() >= std::uint64_t{kNoLimit})
    return limit_of(kNoLimit, field);
  return limit_of(value->get<std::int64_t>(), field);
}

Limit limit_at(const json& object, const std::string& field) {
  return limit_at(object, field, field);
}

std::string annotation_of(const json& metadata, std::string_view key) {
  const json* const annotations = member_of(metadata, "annotations");
  return annotations == nullptr ? std::string() : text_in(*annotations, key);
}

/// Of Knative: 0 is no limit, as no annotation is.
Limit scale_limit(const json& metadata) {
  const std::string field = "autoscaling.knative.dev/max-scale";
  std::string text = annotation_of(metadata, field);
  if (text.empty()) text = annotation_of(metadata, "autoscaling.knative.dev/maxScale");
  if (text.empty()) return not_set(field);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc{} && end == text.data() + text.size();
  if (!is_number) return limit_of(std::nullopt, field);
  return number == 0 ? limit_of(kNoLimit, field) : limit_of(number, field);
}

PodGrowth growth_to(const Limit& limit, std::int64_t per_replica) {
  if (!limit.most) return {.most = {}, .by = limit.by};
  return {.most = capped_product(*limit.most, per_replica), .by = limit.by};
}

std::vector<std::string> parts_of(Pointer pointer) {
  std::vector<std::string> parts;
  for (; !pointer.empty(); pointer.pop_back()) parts.push_back(pointer.back());
  std::reverse(parts.begin(), parts.end());
  return parts;
}

Pointer first_parts(const std::vector<std::string>& parts, std::size_t count) {
  Pointer pointer;
  for (std::size_t i = 0; i < count; ++i) pointer /= parts[i];
  return pointer;
}

/// The front of the template's path up to `more` parts after the first that `is_meant`.
template <class Test>
std::optional<Pointer> front_to(const decode::PodTemplate& made, Test is_meant, std::size_t more) {
  const std::vector<std::string> parts = parts_of(made.spec_at);
  const auto at = std::find_if(parts.begin(), parts.end(), is_meant);
  const auto count = static_cast<std::size_t>(at - parts.begin()) + 1 + more;
  if (at == parts.end() || count > parts.size()) return std::nullopt;
  return first_parts(parts, count);
}

/// The autoscaler of a RayCluster takes its worker groups to their maxReplicas.
void add_ray(RunBounds& bounds, const json& object, const decode::PodTemplate& made) {
  const auto group = front_to(
      made, [](const std::string& part) { return part == "workerGroupSpecs"; }, 1);
  if (!group) return;
  const Pointer cluster = group->parent_pointer().parent_pointer();
  const json* const is_on = member_of(object.at(cluster), "enableInTreeAutoscaling");
  if (is_on == nullptr || (*is_on != true && *is_on != "true")) return;
  bounds.growth =
      growth_to(limit_at(object.at(*group), "maxReplicas"), pods_per_replica(object, made, *group));
}

enum class KServeMode { raw, knative, unknown };

KServeMode mode_of(const json& metadata) {
  const std::string mode = annotation_of(metadata, "serving.kserve.io/deploymentMode");
  if (mode == "RawDeployment" || mode == "Standard") return KServeMode::raw;
  return mode == "Serverless" || mode == "Knative" ? KServeMode::knative : KServeMode::unknown;
}

/// What limits a predictor, transformer or explainer. KServe's own HorizontalPodAutoscaler never
/// has less than one replica, nor less than minReplicas, and no more than these without
/// maxReplicas; Knative has no limit then (kserve v0.15: createHPA, SetAutoScalingAnnotations).
Limit limit_of_server(const json& component, const json& metadata, KServeMode mode) {
  Limit limit = limit_at(component, "maxReplicas");
  if (limit.is_set && limit.most != 0) return limit;
  if (mode == KServeMode::raw) return {.most = 0, .by = "minReplicas", .is_set = true};
  const Limit scale = scale_limit(metadata);
  return scale.is_set ? scale : not_set("maxReplicas");
}

void add_server(RunBounds& bounds, const json& object, const decode::PodTemplate& made) {
  static constexpr std::array<std::string_view, 3> kComponents = {"predictor", "transformer",
                                                                  "explainer"};
  const auto at = front_to(
      made,
      [](const std::string& part) {
        return std::find(kComponents.begin(), kComponents.end(), part) != kComponents.end();
      },
      0);
  if (!at) return;
  static const json kNone = json::object();
  const json* const found = member_of(object, "metadata");
  const json& metadata = found == nullptr ? kNone : *found;
  const KServeMode mode = mode_of(metadata);
  const std::string autoscaler = annotation_of(metadata, "serving.kserve.io/autoscalerClass");
  if (mode == KServeMode::raw && autoscaler == "none") return;
  if (mode != KServeMode::knative && autoscaler == "external") {
    bounds.growth = PodGrowth{.most = {}, .by = "its autoscalerClass is external"};
    return;
  }
  bounds.growth = growth_to(limit_of_server(object.at(*at), metadata, mode),
                            pods_per_replica(object, made, *at));
}

/// spec.scaling, or that of spec.prefill, beside the template. Its parallelism says how many
/// workers there are, which nobody reads here.
void add_llm_server(RunBounds& bounds, const json& object, const decode::PodTemplate& made) {
  Pointer at = made.spec_at;
  if (at.empty()) return;
  if (at.back() == "worker") {
    bounds.growth = PodGrowth{.most = {}, .by = "its parallelism decides on its workers"};
    return;
  }
  at.pop_back();
  if (const json* const scaling = member_of(object.at(at), "scaling"))
    bounds.growth =
        growth_to(limit_at(*scaling, "maxReplicas"), pods_per_replica(object, made, at));
}

/// The training operator creates a HorizontalPodAutoscaler of the workers where elasticPolicy has
/// metrics (training-operator v1.9: SetDefaults_PyTorchJob, ReconcileHPA).
void add_elastic(RunBounds& bounds, const json& object) {
  const json* const policy = value_of_path(object, Pointer("/spec/elasticPolicy"));
  if (policy == nullptr || member_of(*policy, "metrics") == nullptr) return;
  Limit limit = limit_at(*policy, "maxReplicas");
  if (!limit.is_set) limit = limit_at(*policy, "minReplicas");
  if (limit.is_set) bounds.growth = growth_to(limit, 1);
}

/// Each Job has its own pods.
void add_scaled_job(RunBounds& bounds, const json& object) {
  const json* const spec = member_of(object, "spec");
  Limit limit = limit_at(spec == nullptr ? json() : *spec, "maxReplicaCount");
  if (!limit.is_set) limit = limit_of(kUsualOfKeda, "maxReplicaCount");
  bounds.growth = growth_to(limit, bounds.pods_at_once);
}

/// Where the replicas are that `kubectl scale` changes: kinds of Kubernetes' own with a scale,
/// LeaderWorkerSets, Rollouts, workers of Kubeflow's jobs, and kinds that are not known.
std::optional<Pointer> scaled_at(const KindName& name, const decode::PodTemplate& made) {
  static constexpr std::array<std::string_view, 6> kScaled = {
      "Deployment", "ReplicaSet",     "StatefulSet", "ReplicationController",
      "Rollout",    "LeaderWorkerSet"};
  if (has_group(name, "kubeflow.org"))
    return front_to(
        made, [](const std::string& part) { return part == "Worker"; }, 0);
  const bool is_known = workload_kind(name.kind, name.api_version) != nullptr;
  const bool is_scaled = std::find(kScaled.begin(), kScaled.end(), name.kind) != kScaled.end();
  return is_scaled || !is_known ? std::optional(Pointer("/spec")) : std::nullopt;
}

std::int64_t count_in(const json& object, std::string_view key, std::int64_t usual) {
  const json* const value = member_of(object, key);
  if (value == nullptr || !value->is_number_integer()) return usual;
  return std::clamp<std::int64_t>(value->get<std::int64_t>(), 0, kNoLimit);
}

/// What KEDA's annotation holds it at, whatever the limits say.
std::optional<std::int64_t> paused_at(const json& object) {
  const json* const metadata = member_of(object, "metadata");
  if (metadata == nullptr) return std::nullopt;
  const std::string text = annotation_of(*metadata, "autoscaling.keda.sh/paused-replicas");
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && number >= 0 ? std::optional(number) : std::nullopt;
}

}  // namespace

void add_growth(RunBounds& bounds, const json& object, const KindName& name,
                const decode::PodTemplate& made) {
  if (has_group(name, "ray.io")) return add_ray(bounds, object, made);
  if (has_group(name, "keda.sh")) return add_scaled_job(bounds, object);
  if (has_group(name, "serving.kserve.io")) {
    if (name.kind == "InferenceService") return add_server(bounds, object, made);
    return add_llm_server(bounds, object, made);
  }
  if (has_group(name, "serving.knative.dev")) {
    const json* const metadata = member_of(made.pod, "metadata");
    bounds.growth = growth_to(metadata == nullptr ? scale_limit({}) : scale_limit(*metadata), 1);
    return;
  }
  const auto scaled = scaled_at(name, made);
  if (!scaled) return;
  bounds.pods_per_replica = pods_per_replica(object, made, *scaled);
  if (name.kind == "PyTorchJob") add_elastic(bounds, object);
}

bool is_autoscaler(const json& object, const KindName& kind) {
  if ((kind.kind == "HorizontalPodAutoscaler" && has_group(kind, "autoscaling")) ||
      (kind.kind == "ScaledObject" && has_group(kind, "keda.sh")))
    return true;
  const json* const target = value_of_path(object, Pointer("/spec/scaleTargetRef"));
  return target != nullptr && target->is_object();
}

PlannedAutoscaler autoscaler_of(const json& object, const KindName& kind, const std::string& name,
                                const std::string& ns) {
  static const json kNone = json::object();
  const json* const found = member_of(object, "spec");
  const json& spec = found == nullptr ? kNone : *found;
  const json* const target = member_of(spec, "scaleTargetRef");
  const bool is_keda = has_group(kind, "keda.sh");
  std::string object_name = lower_case(kind.kind) + "/" + name;
  const std::string key = is_keda ? "maxReplicaCount" : "maxReplicas";
  const std::string field = key + " of " + object_name;
  Limit limit = limit_at(spec, key, field);
  if (!limit.is_set && is_keda) limit = limit_of(kUsualOfKeda, field);
  // The API server refuses a HorizontalPodAutoscaler without it, and nobody knows what it is to be.
  if (limit.most == 0) limit = {.most = {}, .by = field + " is 0"};
  if (const auto paused = paused_at(object); is_keda && paused && limit.most)
    limit.most = std::max(*limit.most, *paused);
  const json& aim = target == nullptr ? kNone : *target;
  std::string target_kind = text_in(aim, "kind");
  if (target_kind.empty() && is_keda) target_kind = "Deployment";
  return {.object = std::move(object_name),
          .ns = ns,
          .target_kind = std::move(target_kind),
          .target_name = text_in(aim, "name"),
          .least = count_in(spec, is_keda ? "minReplicaCount" : "minReplicas", is_keda ? 0 : 1),
          .most = limit.most,
          .by = std::move(limit.by)};
}

}  // namespace gpu::manifest
