#pragma once

#include <optional>

#include "schedule/explain.hpp"
#include "schedule/trouble.hpp"

namespace gpu::schedule {

/// Of a pod that is being deleted and should have been gone for minutes: what keeps it, and what
/// ends it. Nothing where it is not, or where the time is unknown.
std::optional<Trouble> overdue_end(const Cluster& cluster, const Pod& pod,
                                   const ExplainOptions& options);

}  // namespace gpu::schedule
