#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedule/cluster.hpp"

namespace gpu::schedule {

/// How a running pod is ended so that it stays away.
struct Ending {
  std::string target;   ///< "pod/research/notebook-jo", "deployment/research/holder"
  std::string command;  ///< "kubectl delete pod ...", "kubectl scale deployment ... --replicas=0"
  std::vector<const Pod*> pods;  ///< all that it ends
};

/// A pod that nobody makes anew is deleted; so is one that is, if a pod of `priority` goes first in
/// the scheduler's queue. Else its owner would win its place back: a Deployment, ReplicaSet or
/// StatefulSet is scaled down, a Job deleted. Nothing where the owner is of another kind.
std::optional<Ending> ending_of(const Cluster& cluster, const Pod& pod, std::int32_t priority);

}  // namespace gpu::schedule
