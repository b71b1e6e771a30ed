#pragma once

#include <vector>

#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// A node that the pod selects, and all its blockers.
struct Candidate {
  const scheduler::NodeVerdict* verdict = nullptr;
  BlockerKinds kinds;
  std::int64_t free_gpus = 0;
  double free_share = 1;  ///< 0 to 1: the free share of the scarcest request

  [[nodiscard]] bool has(BlockerKind kind) const { return kinds.has(kind); }
  /// Whether its only blockers are resources that other pods hold, or for which the node is too
  /// small.
  [[nodiscard]] bool lacks_only_room() const;
  /// Nothing but its GPU stack does.
  [[nodiscard]] bool lacks_only_stack() const;
  /// It has the requested GPUs free, and lacks something else.
  [[nodiscard]] bool has_the_gpus() const;
};

/// The nodes that match the pod's selector, affinity and node name, nearest first: fewest kinds of
/// blockers, then most free GPUs, or, for pods without GPUs, the largest free share of the
/// requests. Nodes without any GPU are last.
std::vector<Candidate> candidates_of(const scheduler::Verdict& verdict, const NodeReasons& reasons);

}  // namespace gpu::diagnose
