#pragma once

#include <string_view>
#include <vector>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The owners that quota, LimitRange or admission prevent from creating pods, in namespace `ns`, or
/// everywhere if that is empty; those rejected longest first. Found by the status of the objects,
/// and by events: the newest event about creating pods is a rejection.
std::vector<Explanation> refused_owners(const scheduler::Cluster& cluster, std::string_view ns,
                                        const ExplainOptions& options);

}  // namespace gpu::diagnose
