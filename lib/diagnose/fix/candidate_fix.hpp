#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cluster/change.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// What would have to change for a pod to fit on one node, not tried yet.
struct CandidateFix {
  std::size_t node = 0;      ///< in cluster.nodes()
  scheduler::Change change;  ///< of the pod, of the node, of other pods
  std::vector<std::string>
      edits;     ///< of the pod, in words: "tolerate dedicated=inference:NoSchedule"
  int cost = 0;  ///< of edits, smaller requests and the node: what other pods pay is Toll
  /// Pods of the node that have to end, before it is known how: Change::ended has all that goes
  /// with them, see end_pods().
  std::vector<const scheduler::BoundPod*> victims;
  /// Pods have to end, and only trying tells which: see with_pods_ended().
  bool seeks_pods = false;
};

/// The edit that makes a wish of a spread rule: "spread over topology.kubernetes.io/zone only where
/// that is possible".
std::string relaxed_text(const TopologySpread& rule);

/// Whether it ends pods, known or still to be found.
bool evicts_pods(const CandidateFix& remedy);

/// What a remedy comes down to, whichever node it is for: the same edit is one fix.
std::string key_of(const CandidateFix& remedy);

/// Says which pods end with those in `to_end`; false where nobody may end one of them.
bool add_evictions(const scheduler::Cluster& cluster, const Pod& pod, CandidateFix& remedy);

/// The change for each thing that rules the node out, together; nothing where one of them has no
/// remedy: a volume elsewhere, illness of the node, GPUs that it never has.
std::optional<CandidateFix> candidate_fix_for(const scheduler::Cluster& cluster, const Pod& pod,
                                              const scheduler::NodeVerdict& node,
                                              const NodeReasons& reasons,
                                              const std::set<std::string>& idle_pods);

}  // namespace gpu::diagnose
