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

/// An autoscaler starts from the least that it may have; KubeRay keeps to both bounds at once.
void multiply_by_replicas(Counted& counted, const json& object) {
  const auto least = count_at(object, "minReplicas");
  const auto most = count_at(object, "maxReplicas");
  const auto replicas = count_at(object, "replicas");
  if (!replicas && !least) return;
  std::int64_t count = std::max(replicas.value_or(0), least.value_or(0));
  if (most && *most > 0) count = std::min(count, *most);
  counted.multiply(count, replicas ? "replicas" : "minReplicas");
}

/// How many pods of a template run at one time by what `object`, in which it stands, says:
/// parallelism of Jobs, which more completions do not raise; `size` of LeaderWorkerSets, whose
/// leader is one of them; replicas, each of several hosts with RayClusters.
void multiply_by_own(Counted& counted, const json& object, const std::string& child) {
  multiply_by_replicas(counted, object);
  if (const auto hosts = count_at(object, "numOfHosts"); hosts && *hosts > 0)
    counted.multiply(*hosts, "numOfHosts");
  if (const auto parallel = count_at(object, "parallelism"); parallel == 0)
    counted.multiply(0, "parallelism");
  else if (parallel)
    counted.multiply(std::min(*parallel, count_at(object, "completions").value_or(*parallel)),
                     "completions");
  const auto size = count_at(object, "size");
  if (child != "workerTemplate" || !size) return;
  if (object.contains("leaderTemplate"))
    counted.multiply(std::max<std::int64_t>(*size - 1, 0), "size less its leader");
  else
    counted.multiply(*size, "size");
}

/// The product of what stands around the template's spec, and in it.
Counted product_of(const json& object, const Pointer& template_at) {
  Counted counted;
  // A predictor of KServe is both.
  if (const json& spec = object.at(template_at); spec.is_object())
    multiply_by_replicas(counted, spec);
  for (Pointer at = template_at; !at.empty();) {
    const std::string child = at.back();
    at.pop_back();
    if (const json& around = object.at(at); around.is_object())
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

/// Knative's autoscaler keeps so many, and starts with them.
void multiply_by_scale(Counted& counted, const json& pod) {
  const json* at = &pod;
  for (const char* key : {"metadata", "annotations"}) {
    const auto next = at->find(key);
    if (next == at->end() || !next->is_object()) return;
    at = &*next;
  }
  for (const char* key :
       {"autoscaling.knative.dev/min-scale", "autoscaling.knative.dev/minScale"}) {
    const auto scale = at->find(key);
    if (scale == at->end() || !scale->is_string()) continue;
    const auto& text = scale->get_ref<const std::string&>();
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    // 0 lets it end pods that nobody asks anything of: the first one starts.
    if (error != std::errc{} || end != text.data() + text.size() || count < 1) continue;
    return counted.multiply(std::min(count, kMostReplicas), key);
  }
}

}  // namespace

PodCount count_of(const json& object, const decode::PodTemplate& made, std::string_view queue) {
  Counted counted = product_of(object, made.spec_at);
  multiply_by_scale(counted, made.pod);
  counted.once_resumed = counted.count;
  stop_where_told(counted, object, made.spec_at, queue);
  return counted;
}

}  // namespace gpu::manifest
