#pragma once

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::plan {

/// Why a pod that only a manifest has would not start: nobody has said anything of it yet.
/// `options.manifest` names the file.
diagnose::Explanation explain_planned(const scheduler::Cluster& cluster, const Pod& pod,
                                      const diagnose::ExplainOptions& options);

}  // namespace gpu::plan
