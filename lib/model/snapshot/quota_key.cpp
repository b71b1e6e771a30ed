#include "model/snapshot/quota_key.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "model/gpu/gpu_resource.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu {
namespace {

constexpr std::string_view kRequests = "requests.";
constexpr std::string_view kLimits = "limits.";
constexpr std::string_view kCount = "count/";

/// What device plugins advertise unless they are told otherwise.
constexpr auto kUsual = std::to_array<std::string_view>(
    {"nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915", "gpu.intel.com/xe", "habana.ai/gaudi",
     "google.com/tpu", "aws.amazon.com/neuron"});

bool is_near(std::string_view one, std::string_view other) {
  const std::array<std::string_view, 1> choices = {other};
  return one != other && nearest_name(one, choices).has_value();
}

/// The usual name that this one misspells in one of its halves; empty where it is none, or a name
/// of GPUs that is known. NVIDIA's plugin may rename what it advertises: its names are free.
std::string_view usual_name_near(std::string_view resource) {
  const std::size_t slash = resource.find('/');
  if (slash == std::string_view::npos) return {};
  const auto known = gpu_resource(resource);
  const bool is_free = known && known->vendor == Vendor::nvidia &&
                       known->kind == DeviceKind::card && !known->renamed && !known->is_memory;
  if (known && !is_free) return {};
  for (const std::string_view usual : kUsual) {
    const std::size_t at = usual.find('/');
    const bool is_same_domain = resource.substr(0, slash) == usual.substr(0, at);
    const bool is_same_name = resource.substr(slash + 1) == usual.substr(at + 1);
    if (is_same_domain && is_near(resource.substr(slash + 1), usual.substr(at + 1))) return usual;
    if (is_same_name && is_near(resource.substr(0, slash), usual.substr(0, at))) return usual;
  }
  return {};
}

/// A plural and a group in which there is such a kind.
using Countable = std::pair<std::string_view, std::string_view>;

std::vector<Countable> countables() {
  std::vector<Countable> all = {{"resourceclaims", "resource.k8s.io"},
                                {"resourceclaimtemplates", "resource.k8s.io"},
                                {"services", ""}};
  for (const WorkloadKind& kind : workload_kinds()) all.emplace_back(kind.plural, kind.group);
  return all;
}

/// Others may have kinds of the same name: only a group that is missing, of another kind of
/// workload or near to the right one is wrong for sure.
std::optional<QuotaKey> of_count(std::string_view key) {
  std::string_view name = key.substr(kCount.size());
  const std::size_t dot = name.find('.');
  const std::string_view plural = name.substr(0, dot);
  const std::string_view group = dot == std::string_view::npos ? "" : name.substr(dot + 1);
  const std::vector<Countable> all = countables();
  std::string_view right;
  bool is_known_kind = false;
  // The core group has no name.
  bool is_other_group = group.empty() || group == "core" || group == "v1";
  for (const auto& [its_plural, its_group] : all) {
    is_other_group = is_other_group || its_group == group;
    if (its_plural != plural) continue;
    if (its_group == group) return std::nullopt;
    const bool is_first = !is_known_kind;
    is_known_kind = true;
    if (is_first || is_near(group, its_group)) right = its_group;
  }
  const bool has_version = group.find('/') != std::string_view::npos;
  if (!is_known_kind || (!is_other_group && !has_version && !is_near(group, right)))
    return std::nullopt;
  std::string suggestion = std::string(kCount) + std::string(plural);
  if (!right.empty()) suggestion += "." + std::string(right);
  return QuotaKey{std::string(key), QuotaKeyFault::wrong_group, std::move(suggestion)};
}

}  // namespace

std::optional<QuotaKey> quota_key(std::string_view key) {
  if (key.starts_with(kCount)) return of_count(key);
  auto fault = QuotaKeyFault::without_requests;
  std::string_view resource = key;
  if (key.starts_with(kRequests)) {
    fault = QuotaKeyFault::none;
    resource.remove_prefix(kRequests.size());
  } else if (key.starts_with(kLimits)) {
    fault = QuotaKeyFault::limits_of_extended;
    resource.remove_prefix(kLimits.size());
  }
  const std::string_view usual = usual_name_near(resource);
  if (usual.empty() && !gpu_resource(resource)) return std::nullopt;
  if (fault == QuotaKeyFault::none && !usual.empty()) fault = QuotaKeyFault::misspelt;
  std::string suggestion;
  if (fault != QuotaKeyFault::none)
    suggestion = std::string(kRequests) + std::string(usual.empty() ? resource : usual);
  return QuotaKey{std::string(resource), fault, std::move(suggestion)};
}

}  // namespace gpu
