#include "diagnose/lifecycle/cloud_refusal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ascii.hpp"

namespace gpu::diagnose {
namespace {

using Why = CloudRefusal::Why;

/// A part of a cloud's error, in lower case, and what it means.
struct CloudWord {
  std::string_view part;
  Why why;
};

// Sources: cluster-autoscaler's errors of GCE, AWS and Azure, GKE's events, EC2's and Azure's error
// codes as Karpenter repeats them.
constexpr auto kWords = std::to_array<CloudWord>({
    {"quota", Why::quota},
    {"vcpulimitexceeded", Why::quota},
    {"instancelimitexceeded", Why::quota},
    {"maxspotinstancecountexceeded", Why::quota},
    {"vcpu limit", Why::quota},
    {"exceeding approved", Why::quota},
    {"out of resources", Why::stock},
    {"out_of_resources", Why::stock},
    {"resource_pool_exhausted", Why::stock},
    {"does not have enough resources", Why::stock},
    {"stockout", Why::stock},
    {"insufficientinstancecapacity", Why::stock},
    {"insufficientcapacity", Why::stock},
    {"insufficient capacity", Why::stock},
    {"unfulfillablecapacity", Why::stock},
    {"do not have sufficient", Why::stock},
    {"allocationfailed", Why::stock},
    {"overconstrained", Why::stock},
    {"skunotavailable", Why::stock},
});

/// What stands between two parts of a text; empty where they do not.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t start = text.find(before);
  if (start == std::string_view::npos) return {};
  text.remove_prefix(start + before.size());
  const std::size_t end = text.find(after);
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
}

std::string zone_in(std::string_view message) {
  static constexpr std::array<std::array<std::string_view, 2>, 5> kPlaces = {
      {{"in zones ", " associated"},
       {"in zone ", " associated"},
       {"Zone you requested (", ")"},
       {"zones/", "/"},
       {"in zone ", " "}}};
  for (const auto& [before, after] : kPlaces)
    if (const std::string_view zone = between(message, before, after); !zone.empty())
      return std::string(zone);
  return {};
}

/// "us-central1" of "us-central1-c", "us-east-1" of "us-east-1a"; nothing of several.
std::string region_of(std::string_view zone) {
  if (zone.empty() || zone.find(',') != std::string_view::npos) return {};
  const char last = zone.back();
  if (last < 'a' || last > 'z' || zone.size() < 2) return {};
  zone.remove_suffix(1);
  if (zone.ends_with('-')) zone.remove_suffix(1);
  return std::string(zone);
}

/// The GPU that the pod selects by its cloud's label.
std::string_view selected_gpu(const Pod& pod) {
  for (const std::string_view label :
       {"cloud.google.com/gke-accelerator", "karpenter.k8s.aws/instance-gpu-name",
        "node.kubernetes.io/instance-type"})
    if (const std::string_view value = value_of(pod.node_selector, label); !value.empty())
      return value;
  return {};
}

std::string quota_advice(const CloudRefusal& refusal, std::string_view message, const Pod& pod) {
  const std::string region = region_of(refusal.zone);
  const std::string where = region.empty() ? "" : " in " + region;
  const std::string_view gpu = selected_gpu(pod);
  const std::string what = gpu.empty() ? "" : fmt::format(" for {}", gpu);
  if (message.find("GCE") != std::string_view::npos)
    return fmt::format(
        "raise the project's GPU quota{}{}, and that of GPUs in all regions; or request another "
        "GPU type or region",
        what, where);
  return fmt::format(
      "raise the quota of the cloud account{}{}, or request another GPU type or region", what,
      where);
}

}  // namespace

CloudRefusal cloud_refusal(std::string_view message) {
  const std::string lower = lower_case(message);
  const auto* const found = std::find_if(kWords.begin(), kWords.end(), [&](const CloudWord& each) {
    return lower.find(each.part) != std::string::npos;
  });
  return {.why = found == kWords.end() ? Why::other : found->why, .zone = zone_in(message)};
}

std::string reason_text(const CloudRefusal& refusal) {
  std::string text;
  if (refusal.why == Why::quota) text = " for want of quota";
  if (refusal.why == Why::stock) text = ", which has none in stock";
  return refusal.zone.empty() ? text : fmt::format("{} in {}", text, refusal.zone);
}

std::string advice_text(const CloudRefusal& refusal, std::string_view message, const Pod& pod) {
  switch (refusal.why) {
    case Why::quota:
      return quota_advice(refusal, message, pod);
    case Why::stock:
      return "let the pod, and a node group, use another zone or GPU type, or reserve capacity; "
             "the "
             "autoscaler tries again by itself";
    case Why::other:
      break;
  }
  return "correct what the cloud says, or let another node group bring such nodes";
}

}  // namespace gpu::diagnose
