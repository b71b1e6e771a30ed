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

/// A pod that nobody makes anew is deleted; so is one that is, if `asked` may preempt what comes in
/// its place. Else its owner might win its place back: a Deployment, ReplicaSet,
/// ReplicationController or StatefulSet is scaled down, a Job deleted. Nothing where the owner is
/// of another kind.
std::optional<Ending> ending_of(const Cluster& cluster, const Pod& pod, const Pod& asked);

/// Whether a pod may be ended at all: not one of kube-system, of a DaemonSet or of a node itself,
/// and not one that ends already.
bool may_be_ended(const Pod& pod);

}  // namespace gpu::schedule
