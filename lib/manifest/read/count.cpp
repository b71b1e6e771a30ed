#include "manifest/read/count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

namespace gpu::manifest {
namespace {

using nlohmann::json;
using Pointer = json::json_pointer;

/// What replicas may be at most, and more pods than any cluster runs: their product is a number.
constexpr std::int64_t kMostReplicas = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostPods = 4'000'000'000;

/// A whole number from 0 on; nothing for any other.
std::optional<std::int64_t> count_at(const json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_number_integer()) return std::nullopt;
  const auto count = at->get<std::int64_t>();
  return count < 0 ? std::nullopt : std::optional(std::min(count, kMostReplicas));
}

struct Counted : PodCount {
  void multiply(std::int64_t by, std::string_view field) {
    count = std::min(count * by, kMostPods);
    if (by == 0 && none_because.empty()) none_because = fmt::format("{} is 0", field);
  }
  void stop(std::string_view why) {
    count = 0;
    if (none_because.empty()) none_because = why;
  }
};

bool is_true_at(const json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_boolean() && at->get<bool>();
}

/// What a group of replicas is: how many it has, where it does not say so, and at the least.
enum class Group { usual, ray_workers, kserve_server };

/// KServe starts one server and takes it away later, unless nothing scales it.
bool starts_from_zero(const json& object) {
  const Pointer at("/metadata/annotations/serving.kserve.io~1autoscalerClass");
  const bool is_fixed = object.contains(at) && object.at(at) == "none";
  const auto kind = object.find("kind");
  return kind != object.end() && *kind == "InferenceService" && !is_fixed;
}

Group group_of(const json& object, Pointer at) {
  if (starts_from_zero(object)) return Group::kserve_server;
  if (!at.empty()) at.pop_back();
  return !at.empty() && at.back() == "workerGroupSpecs" ? Group::ray_workers : Group::usual;
}

/// What the autoscaler of an LLMInferenceService keeps stands beside its replicas.
std::optional<std::int64_t> least_of(const json& object) {
  const auto scaling = object.find("scaling");
  const bool has_own = scaling != object.end() && scaling->is_object();
  return has_own ? count_at(*scaling, "minReplicas") : count_at(object, "minReplicas");
}

/// An autoscaler starts from the least that it may have; KubeRay keeps to both bounds at once. The
/// least counts where they contradict each other.
void multiply_by_replicas(Counted& counted, const json& object, Group group) {
  const auto least = least_of(object);
  const auto most = count_at(object, "maxReplicas");
  const auto replicas = count_at(object, "replicas");
  if (group == Group::ray_workers && !replicas && least.value_or(0) == 0)
    return counted.stop("replicas is not set");
  if (!replicas && !least) return;
  std::int64_t count = std::max(replicas.value_or(0), least.value_or(0));
  if (group == Group::kserve_server) count = std::max<std::int64_t>(count, 1);
  if (most && *most > 0) count = std::min(count, *most);
  count = std::max(count, least.value_or(0));
  counted.multiply(count, replicas ? "replicas" : "minReplicas");
}

/// How many pods of a template run at one time by what `object`, in which it stands, says:
/// parallelism of Jobs, which more completions do not raise; `size` of LeaderWorkerSets, whose
/// leader is one of them; the hosts of each replica of RayClusters. Replicas are counted apart.
void multiply_by_own(Counted& counted, const json& object, const std::string& child) {
  if (const auto hosts = count_at(object, "numOfHosts"); hosts && *hosts > 0)
    counted.multiply(*hosts, "numOfHosts");
  const auto parallel = count_at(object, "parallelism");
  const auto completions = count_at(object, "completions");
  if (parallel == 0)
    counted.multiply(0, "parallelism");
  else if (parallel || completions == 0)
    counted.multiply(std::min(parallel.value_or(1), completions.value_or(kMostReplicas)),
                     "completions");
  const auto size = count_at(object, "size");
  if (child != "workerTemplate" || !size) return;
  if (object.contains("leaderTemplate"))
    counted.multiply(std::max<std::int64_t>(*size - 1, 0), "size less its leader");
  else
    counted.multiply(*size, "size");
}

/// The product of what stands around the template's spec, and in it, without the replicas of what
/// stands at `but_of`.
Counted product_of(const json& object, const Pointer& template_at,
                   const std::optional<Pointer>& but_of) {
  Counted counted;
  const auto multiply = [&](const json& holder, const Pointer& at) {
    if (at != but_of) multiply_by_replicas(counted, holder, group_of(object, at));
  };
  // A predictor of KServe is both.
  if (const json& spec = object.at(template_at); spec.is_object()) multiply(spec, template_at);
  for (Pointer at = template_at; !at.empty();) {
    const std::string child = at.back();
    at.pop_back();
    const json& around = object.at(at);
    if (child == "prefill") break;  // its servers stand beside those of the LLMInferenceService
    if (!around.is_object()) continue;
    multiply(around, at);
    multiply_by_own(counted, around, child);
  }
  return counted;
}

/// Makes none of it where something around the template says so. Kueue takes the suspension from
/// what it admits, which no CronJob is.
void stop_where_told(Counted& counted, const json& object, const Pointer& template_at,
                     std::string_view queue) {
  for (Pointer at = template_at; !at.empty();) {
    at.pop_back();
    const json& around = object.at(at);
    if (!around.is_object()) continue;
    const bool is_lifted = !queue.empty() && !around.contains("jobTemplate");
    if (!is_lifted && is_true_at(around, "suspend")) counted.stop("suspend is true");
    if (is_true_at(around, "paused")) counted.stop("paused is true");
  }
}

/// A number of pods in an annotation of Knative; nothing for none, 0 and what is no number.
std::optional<std::int64_t> scale_at(const json& annotations, const char* key) {
  const auto scale = annotations.find(key);
  if (scale == annotations.end() || !scale->is_string()) return std::nullopt;
  const auto& text = scale->get_ref<const std::string&>();
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count < 1) return std::nullopt;
  return std::min(count, kMostReplicas);
}

/// Knative's autoscaler starts with so many, and keeps the least. 0 lets it end pods that nobody
/// asks anything of: the first one starts.
void multiply_by_scale(Counted& counted, const json& pod) {
  const Pointer at("/metadata/annotations");
  if (!pod.contains(at) || !pod.at(at).is_object()) return;
  const json& annotations = pod.at(at);
  const std::string prefix = "autoscaling.knative.dev/";
  std::int64_t most = 1;
  for (const auto& [newer, older] :
       {std::pair("min-scale", "minScale"), std::pair("initial-scale", "initialScale")}) {
    auto scale = scale_at(annotations, (prefix + newer).c_str());
    if (!scale) scale = scale_at(annotations, (prefix + older).c_str());
    most = std::max(most, scale.value_or(1));
  }
  counted.multiply(most, "scale");
}

}  // namespace

PodCount count_of(const json& object, const decode::PodTemplate& made, std::string_view queue) {
  Counted counted = product_of(object, made.spec_at, std::nullopt);
  multiply_by_scale(counted, made.pod);
  counted.once_resumed = counted.count;
  stop_where_told(counted, object, made.spec_at, queue);
  return counted;
}

std::int64_t pods_per_replica(const json& object, const decode::PodTemplate& made,
                              const Pointer& scaled_at) {
  return product_of(object, made.spec_at, scaled_at).count;
}

}  // namespace gpu::manifest
