#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/code.hpp"
#include "model/objects/pod.hpp"
#include "model/objects/scheduling_facts.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::admission {

/// What quotas count of a pod, by their names for it: "pods", "requests.nvidia.com/gpu", "cpu",
/// "limits.memory". Source: k8s.io/kubernetes/pkg/quota/v1/evaluator/core PodUsageFunc.
ResourceList quota_usage(const Pod& pod);

/// A quota that lets no such pod in.
struct QuotaRefusal {
  diagnose::Code code{};  ///< quota_exceeded, quota_needs_requests
  std::string text;
};

/// What the quotas of the pod's namespace say of one more pod like it, or of the object that makes
/// it (count/jobs.batch).
struct QuotaOpinion {
  std::optional<QuotaRefusal> refusal;
  std::vector<std::string> not_checked;  ///< quotas that may count it, and those not counted yet
};
QuotaOpinion quota_opinion(const Pod& pod, const SchedulingFacts& facts);

/// The name of a quota of the pod's namespace that admits no more pods like it; empty where none is
/// known.
std::string full_quota(const scheduler::Cluster& cluster, const Pod& pod);

/// Lets the quotas of the pod's namespace count it.
void count_in_quotas(SchedulingFacts& facts, const Pod& pod);

}  // namespace gpu::admission
