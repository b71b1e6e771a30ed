#pragma once

#include "schedule/explain.hpp"

namespace gpu::schedule {

/// The answer for a DaemonSet that is not made yet, of which `pod` is one: on which of the nodes
/// that its controller makes pods for they would start, and why not on the others.
Explanation explain_daemons(const Cluster& cluster, const Pod& pod, const ExplainOptions& options);

}  // namespace gpu::schedule
