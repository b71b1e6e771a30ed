#pragma once

#include <optional>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "diagnose/lifecycle/trouble.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// For a pod that is being deleted and should have been gone for minutes: why it still exists, and
/// what ends it. Nothing for other pods, or if the time is not known.
std::optional<Trouble> overdue_end(const scheduler::Cluster& cluster, const Pod& pod,
                                   const ExplainOptions& options);

}  // namespace gpu::diagnose
