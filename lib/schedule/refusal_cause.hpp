#pragma once

#include <optional>

#include "schedule/cause.hpp"
#include "schedule/verdict.hpp"

namespace gpu::schedule {

/// The cause of a cycle that ended before nodes were looked at, or with an error: volumes and
/// claims that are missing, classes that do not exist. Nothing where nodes decide.
std::optional<Cause> refusal_cause(const Cluster& cluster, const Pod& pod, const Verdict& verdict);

}  // namespace gpu::schedule
