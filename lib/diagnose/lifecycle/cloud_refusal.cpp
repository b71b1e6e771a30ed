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

/// A quota as the cloud names it.
struct NamedQuota {
  std::string name;  ///< empty: not told
  std::string limit;
  std::string region;
};

/// Up to what ends a word: "us-central1" of "us-central1." and of "us-central1, ...".
std::string word_behind(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + before.size());
  text = text.substr(0, text.find_first_of(" ,;)\n'\""));
  while (text.ends_with('.')) text.remove_suffix(1);
  return std::string(text);
}

/// EC2 counts the vCPUs of running instances by families; an instance type tells whose it is.
struct InstanceQuota {
  std::string_view families;  ///< letters before the number of a type, with a blank on both sides
  std::string_view on_demand;
  std::string_view spot;
};
constexpr auto kInstanceQuotas = std::to_array<InstanceQuota>(
    {{" p ", "L-417A185B (Running On-Demand P instances)", "L-7212CCBC (All P4, P3 and P2 Spot)"},
     {" g gr vt ", "L-DB2E81BA (Running On-Demand G and VT instances)",
      "L-3819A6DF (All G and VT Spot)"},
     {" dl ", "L-6E869C2A (Running On-Demand DL instances)", "L-85EED4F7 (All DL Spot)"},
     {" inf ", "L-1945791B (Running On-Demand Inf instances)", "L-B5D1601B (All Inf Spot)"},
     {" trn ", "L-2C3B7624 (Running On-Demand Trn instances)", "L-6B0D517C (All Trn Spot)"}});

/// The first code of a Service Quotas quota in the message: "L-417A185B".
std::string quota_code_in(std::string_view message) {
  constexpr std::size_t kDigits = 8;
  for (std::size_t at = message.find("L-"); at != std::string_view::npos;
       at = message.find("L-", at + 1)) {
    const std::string_view code = message.substr(at, 2 + kDigits);
    const std::string_view digits = code.substr(2);
    if (digits.size() == kDigits &&
        digits.find_first_not_of("0123456789ABCDEF") == std::string_view::npos)
      return std::string(code);
  }
  return {};
}

/// By the instance type that the pod selects, where EC2 names no quota; of p5 and newer, Spot has
/// quotas of their own, which are not told apart here.
std::string_view quota_of_type(std::string_view type, bool is_spot) {
  const std::size_t digit = type.find_first_of("0123456789");
  if (digit == std::string_view::npos || type.find('.') == std::string_view::npos) return {};
  const std::string family = fmt::format(" {} ", type.substr(0, digit));
  const bool is_new_p = family == " p " && type[digit] >= '5';
  for (const InstanceQuota& each : kInstanceQuotas)
    if (each.families.find(family) != std::string_view::npos)
      return !is_spot ? each.on_demand : is_new_p ? std::string_view{} : each.spot;
  return {};
}

/// Of GCE: "Quota 'NVIDIA_H100_GPUS' exceeded. Limit: 8.0 in region us-central1"; of Azure:
/// "exceeding approved standardNCADSH100v5Family Cores quota. ... Location: eastus, Current Limit:
/// 0"; of EC2: "VcpuLimitExceeded: ... your current vCPU limit of 64".
NamedQuota named_quota(std::string_view message, const Pod& pod) {
  if (const std::string_view name = between(message, "Quota '", "'"); !name.empty())
    return {std::string(name), word_behind(message, "Limit: "), word_behind(message, "in region ")};
  if (const std::string_view name = between(message, "exceeding approved ", " quota");
      !name.empty())
    return {std::string(name), word_behind(message, "Current Limit: "),
            word_behind(message, "Location: ")};
  NamedQuota quota{quota_code_in(message), word_behind(message, "vCPU limit of "), {}};
  const std::string lower = lower_case(message);
  const bool is_spot = lower.find("spot") != std::string::npos;
  if (quota.name.empty() &&
      (lower.find("vcpulimitexceeded") != std::string::npos || is_spot || !quota.limit.empty()))
    quota.name =
        quota_of_type(value_of(pod.node_selector, "node.kubernetes.io/instance-type"), is_spot);
  return quota;
}

std::string quota_advice(const CloudRefusal& refusal, std::string_view message, const Pod& pod) {
  const NamedQuota quota = named_quota(message, pod);
  const std::string region = quota.region.empty() ? region_of(refusal.zone) : quota.region;
  const std::string where = region.empty() ? "" : " in " + region;
  if (!quota.name.empty())
    return fmt::format("raise the quota {}{}{}, or request another GPU type or region", quota.name,
                       where,
                       quota.limit.empty() ? "" : fmt::format(", whose limit is {}", quota.limit));
  const std::string_view gpu = selected_gpu(pod);
  const std::string what = gpu.empty() ? "" : fmt::format(" for {}", gpu);
  const std::string limit =
      quota.limit.empty() ? "" : fmt::format(" (its limit is {} vCPUs)", quota.limit);
  if (message.find("GCE") != std::string_view::npos)
    return fmt::format(
        "raise the project's GPU quota{}{}, and that of GPUs in all regions; or request another "
        "GPU type or region",
        what, where);
  return fmt::format(
      "raise the quota of the cloud account{}{}{}, or request another GPU type or region", what,
      where, limit);
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
