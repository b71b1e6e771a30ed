#pragma once

#include <vector>

#include "diagnose/answer/explain_options.hpp"
#include "diagnose/answer/explanation.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// The fixes that were found, and advice that could not be tried.
struct FixSearch {
  std::vector<Fix> fixes;  ///< each was judged: the pod then fits. Best first, at most 3
  std::vector<Remark> remarks;
  std::vector<Advice> advice;  ///< where no fix was found
};

/// The smallest changes after which the pod fits, by cost: edits of the pod, smaller requests,
/// uncordoning, ending pods. Fixes that stop nothing come first, then those that stop idle pods,
/// then those of the fewest objects. Never adds a toleration for not-ready, unreachable, pressure
/// or health taints.
FixSearch fixes_for(const scheduler::Cluster& cluster, const Pod& pod,
                    const scheduler::Verdict& verdict, const NodeReasons& reasons,
                    const ExplainOptions& options);

}  // namespace gpu::diagnose
