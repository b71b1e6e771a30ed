#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// How running pods are ended so that they stay away.
struct Eviction {
  std::string target;   ///< "pod/research/notebook-jo", "deployment/research/holder"
  std::string title;    ///< "scale down deployment/holder in research (2 pods)"; empty for a pod
  std::string command;  ///< "kubectl delete pod ..."; may hold several lines
  std::string note;     ///< "a suspended Job stays, ..."; mostly empty
  std::vector<const Pod*> pods;  ///< all that it ends
  bool is_whole = true;          ///< the target has no pods then
};

/// A pod that nobody makes anew is deleted; so is one that is, if `asked` may preempt what comes in
/// its place. Else its owner might win its place back: a Deployment, ReplicaSet or
/// ReplicationController is scaled down by these pods, which are marked as the first to go; a
/// StatefulSet to what stands before the first of them, as its last pods go first; a Job is
/// suspended, or deleted where something else starts it. Where it is not sure that these pods go,
/// all of the owner do. Nothing where an owner is of another kind. The endings of all pods that
/// endings end are the same endings.
std::optional<std::vector<Eviction>> evictions_for(const scheduler::Cluster& cluster,
                                                   const std::vector<const Pod*>& pods,
                                                   const Pod& asked);

/// Whether a pod may be ended at all: not one of kube-system, of a DaemonSet or of a node itself,
/// not one that holds a GPU for those who share it, and not one that ends already.
bool is_evictable(const Pod& pod);

/// may_be_ended(), and endings_of() may know how, as far as its controller says.
bool is_evictable_for(const scheduler::Cluster& cluster, const Pod& pod, const Pod& asked);

}  // namespace gpu::diagnose
