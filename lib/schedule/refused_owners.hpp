#pragma once

#include <string_view>
#include <vector>

#include "schedule/explain.hpp"

namespace gpu::schedule {

/// The owners that quota, LimitRange or admission keep from making pods, in namespace `ns`, or
/// everywhere where that is empty; those refused longest first. By what their objects say, and by
/// events: the newest about making pods is a refusal.
std::vector<Explanation> refused_owners(const Cluster& cluster, std::string_view ns,
                                        const ExplainOptions& options);

}  // namespace gpu::schedule
