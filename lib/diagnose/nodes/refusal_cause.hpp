#pragma once

#include <optional>

#include "diagnose/nodes/headline_cause.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// The cause of a cycle that ended before the scheduler looked at nodes, or with an error: missing
/// volumes or claims, classes that do not exist. Nothing if nodes decide.
std::optional<Cause> refusal_cause(const scheduler::Cluster& cluster, const Pod& pod,
                                   const scheduler::Verdict& verdict);

}  // namespace gpu::diagnose
