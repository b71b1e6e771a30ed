#pragma once

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::plan {

/// The answer for a DaemonSet that is not made yet, of which `pod` is one: on which of the nodes
/// that its controller makes pods for they would start, and why not on the others.
diagnose::Explanation explain_daemons(const scheduler::Cluster& cluster, const Pod& pod,
                                      const diagnose::ExplainOptions& options);

}  // namespace gpu::plan
