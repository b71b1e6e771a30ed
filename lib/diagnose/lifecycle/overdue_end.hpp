#pragma once

#include <optional>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "diagnose/lifecycle/trouble.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Of a pod that is being deleted and should have been gone for minutes: what keeps it, and what
/// ends it. Nothing where it is not, or where the time is unknown.
std::optional<Trouble> overdue_end(const scheduler::Cluster& cluster, const Pod& pod,
                                   const ExplainOptions& options);

}  // namespace gpu::diagnose
