#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// How running pods are ended so that they do not come back.
struct Eviction {
  std::string target;   ///< "pod/research/notebook-jo", "deployment/research/holder"
  std::string title;    ///< "scale down deployment/holder in research (2 pods)"; empty for a pod
  std::string command;  ///< "kubectl delete pod ..."; may hold several lines
  std::string note;     ///< "a suspended Job stays, ..."; mostly empty
  std::vector<const Pod*> pods;  ///< all that it ends
  bool is_whole = true;          ///< the target has no pods then
};

/// How to end `pods` so that they stay away. A pod without a controller is deleted. So is one with
/// a controller, if `asked` may preempt its replacement. Otherwise the replacement could take the
/// place again, so the owner is changed. A Deployment, ReplicaSet or ReplicationController is
/// scaled down by these pods, which are annotated to be deleted first. A StatefulSet deletes its
/// last pods first, so it is scaled down to the pods before the first of these. A Job is suspended,
/// or deleted if something else starts it. If it is not certain that exactly these pods end, all
/// pods of the owner end. Returns nothing for owners of other kinds. For all the pods that the
/// result ends, the result is the same.
std::optional<std::vector<Eviction>> evictions_for(const scheduler::Cluster& cluster,
                                                   const std::vector<const Pod*>& pods,
                                                   const Pod& asked);

/// Whether a pod may be ended at all. Not if it is in kube-system, belongs to a DaemonSet or to a
/// node, holds a GPU for the pods that share it, or is ending already.
bool is_evictable(const Pod& pod);

/// is_evictable(), and evictions_for() may find a way, judging by the pod's controller.
bool is_evictable_for(const scheduler::Cluster& cluster, const Pod& pod, const Pod& asked);

}  // namespace gpu::diagnose
