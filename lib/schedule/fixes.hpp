#pragma once

#include <vector>

#include "schedule/cluster.hpp"
#include "schedule/explain.hpp"
#include "schedule/explanation.hpp"
#include "schedule/node_reason.hpp"
#include "schedule/verdict.hpp"

namespace gpu::schedule {

/// What was found, and what may help but could not be tried.
struct FixSearch {
  std::vector<Fix> fixes;  ///< each was judged: the pod then fits. Best first, at most 3
  std::vector<Remark> remarks;
  std::vector<Advice> advice;  ///< where no fix was found
};

/// The smallest changes after which the pod fits, by cost: edits of the pod, smaller requests,
/// uncordoning, ending pods. Those that stop nothing come first, then idle pods, then fewest
/// objects. Never a toleration for not-ready, unreachable, pressure or health taints.
FixSearch fixes_for(const Cluster& cluster, const Pod& pod, const Verdict& verdict,
                    const NodeReasons& reasons, const ExplainOptions& options);

}  // namespace gpu::schedule
