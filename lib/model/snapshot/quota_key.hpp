#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpu {

/// Why a key of a ResourceQuota counts nothing, whatever the cluster has.
enum class QuotaKeyFault : std::uint8_t {
  none,
  limits_of_extended,  ///< limits.nvidia.com/gpu: of extended resources only requests.* are counted
  without_requests,    ///< nvidia.com/gpu without "requests."
  misspelt,            ///< requests.nvidia.com/gpus: near to a usual name, and none that is known
  wrong_group,         ///< count/jobs: of a kind of workload, with a group that it is not of
};

/// What a key of a ResourceQuota's spec.hard says of GPUs, or of what makes pods.
struct QuotaKey {
  std::string resource;  ///< "nvidia.com/gpu"; of count/ the key itself
  QuotaKeyFault fault = QuotaKeyFault::none;
  std::string suggestion;  ///< the key that may have been meant; empty for none
};

/// Nothing for a key that is about something else. Source: k8s.io/kubernetes
/// pkg/quota/v1/evaluator/core, podComputeUsageHelper; for count/ the generic evaluator, which
/// counts by plural and group.
std::optional<QuotaKey> quota_key(std::string_view key);

}  // namespace gpu
