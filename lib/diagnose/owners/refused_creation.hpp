#pragma once

#include <string_view>

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The newest FailedCreate event of an object, or of what it creates: the ReplicaSets of a
/// Deployment, the Jobs of a CronJob. Null if there is none.
const Event* failed_create(const scheduler::Cluster& cluster, std::string_view ns,
                           const Owner& owner);

/// Fills in code, summary and advice for pods that the API server rejected, from its message: `pods
/// "x" is forbidden: exceeded quota: ...`.
void explain_refusal(Explanation& answer, std::string_view message);

}  // namespace gpu::diagnose
