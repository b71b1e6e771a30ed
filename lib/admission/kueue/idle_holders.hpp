#pragma once

#include <optional>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "model/objects/queue.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::admission {

/// What is known of workloads that hold quota, and of which no pod was seen.
struct IdleHolders {
  std::vector<diagnose::Remark> remarks;  ///< who they are, since when
  std::optional<diagnose::Fix> fix;       ///< of the fewest of them: tested against the quota
  std::vector<diagnose::Advice> advice;   ///< where nothing could be tested
  /// Of the largest of which it is not certain that nothing runs: to look at it first.
  std::optional<diagnose::Advice> look;
  std::vector<std::string> not_checked;
};

/// Of the workloads that share quota with `queue` those that were admitted longer ago than pods
/// take to be created, and of which no pod was seen; and after the deletion of which `waiting`
/// would be admitted: of those only which certainly run nothing. Nothing where there are none, or
/// where pods were not all read. Workloads with admission checks are left out: they may run in
/// another cluster.
std::optional<IdleHolders> idle_holders(const scheduler::Cluster& cluster,
                                        const ClusterQueue& queue, const QueuedWorkload& waiting);

}  // namespace gpu::admission
