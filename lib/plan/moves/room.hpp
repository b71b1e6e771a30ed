#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "model/snapshot/snapshot.hpp"
#include "model/snapshot/workload.hpp"

namespace gpu::plan {

/// Why a pod cannot be moved off its node.
enum class Stays : std::uint8_t {
  no_controller,       ///< nothing would create it again
  unknown_controller,  ///< whether its controller creates it again is not known
  daemon,              ///< of a DaemonSet, or a static pod: it belongs to the node
  higher_priority,     ///< than the pod that the room is for
  budget,              ///< its PodDisruptionBudget allows no disruption now
  leaving,             ///< it is being deleted already
  no_retries,          ///< its Job would fail: no retry is left, or that is not known
  other_scheduler,     ///< where its scheduler puts it is not known
  devices,             ///< it holds devices of claims, or parts of cards
  queue,               ///< Kueue would have to admit it again
  annotation,          ///< it says that it must not be evicted
  group,               ///< all pods of its group would start over with it
  node_data,           ///< its volume is of the node
  fits_nowhere_else,
};
inline constexpr std::size_t kStays = 14;

/// "no controller would create it again": after a number of pods.
std::string_view text_of(Stays stays);

/// One pod that moves.
struct Move {
  std::string ns;
  std::string name;
  Owner owner;
  std::int64_t gpus = 0;
  std::int32_t priority = 0;
  std::optional<Time> running_since;
  std::vector<std::string> to;  ///< the node that the scheduler takes; several: any of them
  bool loses_empty_dir = false;
  bool leaves_host_path = false;  ///< what is in its hostPath volume stays on the node
  std::string budget;             ///< the PodDisruptionBudget that allows it; empty: none guards it
  bool restarts = false;          ///< a Job's pod: it starts over, and counts as a failed one
};

/// How a node is cleared.
struct RoomPlan {
  std::string node;
  std::vector<Move> moves;          ///< in their order
  bool needs_cordon = false;        ///< otherwise a moved pod, or one that waits, may take the room
  std::vector<std::string> rivals;  ///< NAMESPACE/NAME of waiting pods that may take the room first
};

/// The answer to whether room can be made.
struct RoomAnswer {
  bool is_refused = false;  ///< the API server would not let the pod in; nothing else is answered
  std::vector<std::string> free_now;  ///< nodes on which the pod fits without a move; at most 4
  std::optional<RoomPlan> plan;
  std::size_t candidates = 0;  ///< nodes that could hold the pod if they were empty
  /// Pods on these nodes that hold GPUs and stay, by the reason, most first.
  std::vector<std::pair<Stays, std::int64_t>> staying;
  bool is_search_cut = false;  ///< not all sets of pods were tried
  std::vector<std::string> not_checked;
};

/// The fewest pods whose move frees a node for `pod`, of which the snapshot has none yet; then
/// those without a hostPath, the lowest priorities, then the youngest. Each is tried: the
/// scheduler's filters and scores have to send a copy of it elsewhere, and the pod then fits on
/// that node.
RoomAnswer make_room(const Snapshot& snapshot, const Pod& pod);

}  // namespace gpu::plan
