#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "diagnose/fix/candidate_fix.hpp"
#include "diagnose/nodes/node_reason.hpp"
#include "model/snapshot/workload.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// What the pod requests of a resource after the edit of a fix; `asked`: before.
std::int64_t asked_after(const scheduler::Cluster& cluster, const CandidateFix& fix,
                         const scheduler::Amount& asked);

/// Pods of the owner that wait and request the same as `pod`, which is one of them; 1 where it has
/// no owner.
std::int64_t waiting_pods(const scheduler::Cluster& cluster, const Pod& pod, const Owner& owner);

/// "this makes room for 1 of the 3 pods of deployment/serve that wait": a fix is tried for one pod,
/// but `waiting` pods of its owner may wait. Counts them by amounts on the nodes that then fit.
/// Empty if there is room for all of them.
std::string others_text(const scheduler::Cluster& cluster, std::int64_t waiting, const Owner& owner,
                        const NodeReasons& reasons, const CandidateFix& fix,
                        const std::vector<std::size_t>& fitting);

}  // namespace gpu::diagnose
