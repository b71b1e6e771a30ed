#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cluster/change.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// The changes with which a pod may fit on one node, not tried yet.
struct CandidateFix {
  std::size_t node = 0;      ///< in cluster.nodes()
  scheduler::Change change;  ///< of the pod, of the node, of other pods
  std::vector<std::string>
      edits;     ///< of the pod, in words: "tolerate dedicated=inference:NoSchedule"
  int cost = 0;  ///< of edits, smaller requests and the node; for evictions: EvictionCost
  /// Pods of the node that have to end, before evictions_for() has said how. add_evictions() moves
  /// them into Change::ended, with all pods that end with them.
  std::vector<const scheduler::BoundPod*> victims;
  /// Pods have to end, and a trial finds out which: see with_pods_ended().
  bool seeks_pods = false;
};

/// The text of the edit that makes a spread rule a preference: "spread over
/// topology.kubernetes.io/zone only where that is possible".
std::string relaxed_text(const TopologySpread& rule);

/// Whether it ends pods, known ones or ones that a trial has to find.
bool evicts_pods(const CandidateFix& remedy);

/// A key that is equal for candidates with the same edit, on whichever node: they are one fix.
std::string key_of(const CandidateFix& remedy);

/// Moves `remedy.victims`, with all pods that end with them, into `remedy.change.ended`; false if
/// evictions_for() knows no way to end them.
bool add_evictions(const scheduler::Cluster& cluster, const Pod& pod, CandidateFix& remedy);

/// The change for each thing that rules the node out, all together. Nothing if one of them has no
/// remedy: a volume elsewhere, an unhealthy node, GPUs that the node never has.
std::optional<CandidateFix> candidate_fix_for(const scheduler::Cluster& cluster, const Pod& pod,
                                              const scheduler::NodeVerdict& node,
                                              const NodeReasons& reasons,
                                              const std::set<std::string>& idle_pods);

}  // namespace gpu::diagnose
