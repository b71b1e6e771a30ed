#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "plan/filling.hpp"
#include "plan/moves/room.hpp"

namespace gpu::plan {

/// A set of pods of one node, as they are moved one after the other.
struct TriedMoves {
  std::uint32_t node = 0;
  std::vector<const Pod*> pods;                ///< in their order
  std::vector<std::vector<std::uint32_t>> to;  ///< of each, the nodes that the scheduler may take
  bool needs_cordon = false;
};

/// What became of a trial: the moves, or the first pod that fits nowhere else; null where it is not
/// one of them.
struct TrialResult {
  std::optional<TriedMoves> moves;
  const Pod* stuck = nullptr;
};

/// Moves `pods` off `node` in this order on the filling, which is as before afterwards. They must
/// find a place whatever the scheduler chooses among equal nodes, and `pod` must then fit on that
/// node, and on no other.
TrialResult try_moves(Filling& filling, const Pod& pod, std::uint32_t node,
                      std::span<const Pod* const> pods);

/// Pods that wait, and that would fit on the node once the moves are done.
std::vector<const Pod*> rivals_of(Filling& filling, const Pod& pod, const TriedMoves& moves);

}  // namespace gpu::plan
