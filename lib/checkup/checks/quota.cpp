#include <fmt/format.h>

#include <map>

#include "base/phrase.hpp"
#include "checkup/checks/check.hpp"
#include "model/gpu/gpu_resource.hpp"

namespace gpu::checkup {
namespace {

constexpr std::string_view kLimits = "limits.";
constexpr std::string_view kRequests = "requests.";

/// The GPU resource that a key of a quota is meant for and that nothing counts by it; empty where
/// the key is counted, or is of something else. Of extended resources only `requests.` is counted.
/// Source: kubernetes pkg/quota/v1/evaluator/core/pods.go, podComputeUsageHelper.
std::string_view uncounted(std::string_view key) {
  if (key.starts_with(kRequests)) return {};
  if (key.starts_with(kLimits)) key.remove_prefix(kLimits.size());
  return gpu_resource(key) ? key : std::string_view();
}

}  // namespace

CheckResults check_quota(const CheckContext& context) {
  const SchedulingFacts& facts = context.snapshot.scheduling;
  CheckResults results;
  std::map<std::string, std::vector<std::string>> quotas;  // by key
  for (const ResourceQuota& quota : facts.quotas)
    for (const auto& [key, amount] : quota.hard)
      if (!uncounted(key).empty()) quotas[std::string(key)].push_back(quota.ns + "/" + quota.name);
  for (const auto& [key, names] : quotas)
    results.push_back({.state = CheckState::warning,
                       .says = fmt::format("nothing counts `{}` in the ResourceQuota {}", key,
                                           few_and_rest(names, 3)),
                       .help = fmt::format("write `requests.{}` in its place", uncounted(key)),
                       .command = "kubectl get resourcequotas -A"});
  if (!results.empty()) return results;
  if (coverage_of(facts, "resourcequotas") == Coverage::none)
    return {{.state = CheckState::skipped, .says = "ResourceQuotas were not read"}};
  const bool has_any = !facts.quotas.empty();
  return {{.says = has_any ? "every key of GPUs in a ResourceQuota is counted"
                           : "no ResourceQuota is here"}};
}

}  // namespace gpu::checkup
