#pragma once

#include <string>

#include "schedule/cluster.hpp"
#include "schedule/explanation.hpp"
#include "schedule/verdict.hpp"

namespace gpu::schedule {

/// What a blocker of a node means to a person: its code, its words for the table, and what the
/// scheduler's text leaves out (which taint, which label, how much is free).
GroupBlocker reason_of(const Cluster& cluster, const Pod& pod, const NodeState& node,
                       const Verdict& verdict, const Blocker& blocker);

}  // namespace gpu::schedule
