#pragma once

#include <vector>

#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::diagnose {

/// A node that the pod selects, and all that rules it out.
struct Candidate {
  const scheduler::NodeVerdict* verdict = nullptr;
  BlockerKinds kinds;
  std::int64_t free_gpus = 0;
  double free_share = 1;  ///< of a pod without GPUs: of what it asks for, what is free at least

  [[nodiscard]] bool has(BlockerKind kind) const { return kinds.has(kind); }
  /// Nothing but what other pods hold, or what the node is too small for, rules it out.
  [[nodiscard]] bool lacks_only_room() const;
  /// Nothing but its GPU stack does.
  [[nodiscard]] bool lacks_only_stack() const;
  /// It has the GPUs that are asked for, and something else is short.
  [[nodiscard]] bool has_the_gpus() const;
};

/// The nodes that the pod's selector, affinity and node name leave, nearest first: fewest kinds of
/// blockers, then most free GPUs, or, of pods without GPUs, most of what is asked for; those
/// without any GPU last.
std::vector<Candidate> candidates_of(const scheduler::Verdict& verdict, const NodeReasons& reasons);

}  // namespace gpu::diagnose
