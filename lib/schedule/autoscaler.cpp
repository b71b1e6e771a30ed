#include "schedule/autoscaler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "schedule/pod_events.hpp"

namespace gpu::schedule {
namespace {

enum class Autoscaler { cluster_autoscaler, karpenter };

std::optional<Autoscaler> autoscaler_of(const Event& event) {
  if (event.reporter.find("cluster-autoscaler") != std::string::npos)
    return Autoscaler::cluster_autoscaler;
  if (event.reporter.find("karpenter") != std::string::npos) return Autoscaler::karpenter;
  return std::nullopt;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  });
}

/// Texts of cluster-autoscaler's and Karpenter's refusals for want of permission to grow.
bool is_limit(std::string_view message) {
  return has_any(message, {"max node group size reached", "in backoff after failed scale-up",
                           "max cluster", "max total nodes in cluster reached",
                           "exceed limits for nodepool", "limits have been exhausted"});
}

bool is_refusal(Autoscaler autoscaler, const Event& event) {
  if (autoscaler == Autoscaler::cluster_autoscaler) return event.reason == "NotTriggerScaleUp";
  return event.reason == "FailedScheduling" || event.reason == "NoCompatibleInstanceTypes";
}

std::string_view name_of(Autoscaler autoscaler) {
  return autoscaler == Autoscaler::karpenter ? "Karpenter" : "cluster-autoscaler";
}

}  // namespace

bool may_help_by_nodes(Code code) {
  static constexpr std::array<Code, 9> kCodes = {
      Code::insufficient_gpus,      Code::insufficient_extended_resource,
      Code::gpus_scattered,         Code::request_exceeds_every_node,
      Code::insufficient_cpu,       Code::insufficient_memory,
      Code::insufficient_storage,   Code::too_many_pods,
      Code::resource_not_advertised};
  return std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end();
}

std::optional<AutoscalerWord> autoscaler_word(const Cluster& cluster, const Pod& pod) {
  for (const Event* event : events_of(cluster, pod)) {
    const auto autoscaler = autoscaler_of(*event);
    if (!autoscaler) continue;
    AutoscalerWord word;
    word.text = fmt::format("{} says: {}", name_of(*autoscaler), event->message);
    if (!is_refusal(*autoscaler, *event)) return word;
    const bool is_limited = is_limit(event->message);
    word.code = is_limited ? Code::autoscaler_limit : Code::autoscaler_no_match;
    word.summary = is_limited
                       ? fmt::format("no node has room, and {} may not add one: {}",
                                     name_of(*autoscaler), event->message)
                       : fmt::format("no node has room, and none that {} could add would fit: {}",
                                     name_of(*autoscaler), event->message);
    return word;
  }
  return std::nullopt;
}

}  // namespace gpu::schedule
