#pragma once

#include <string_view>
#include <vector>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The owners that quota, LimitRange or admission keep from making pods, in namespace `ns`, or
/// everywhere where that is empty; those refused longest first. By what their objects say, and by
/// events: the newest about making pods is a refusal.
std::vector<Explanation> refused_owners(const scheduler::Cluster& cluster, std::string_view ns,
                                        const ExplainOptions& options);

}  // namespace gpu::diagnose
