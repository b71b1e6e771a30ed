#pragma once

#include <optional>
#include <string>

#include "plan/moves/room.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::plan {

/// Whether pods can be moved at all. Refers to the snapshot.
class Movability {
 public:
  /// For room for a pod of this priority.
  Movability(const Snapshot& snapshot, std::int32_t priority)
      : snapshot_(snapshot), priority_(priority) {}

  /// Why it stays; nothing: it may be moved, if it fits elsewhere.
  [[nodiscard]] std::optional<Stays> stays(const Pod& pod) const;
  /// How many pods of its Job may still fail, of a pod that a Job controls; 0 where that is not
  /// known.
  [[nodiscard]] std::optional<std::int64_t> retries_of(const Pod& pod) const;
  /// The budget that guards it, and still allows a disruption; null: none guards it.
  [[nodiscard]] const DisruptionBudget* budget_of(const Pod& pod) const;

 private:
  [[nodiscard]] bool has_node_data(const Pod& pod) const;

  const Snapshot& snapshot_;
  std::int32_t priority_;
};

/// The pod as its controller creates it again: it waits, and holds nothing.
Pod created_again(const Pod& pod, const scheduler::Cluster& cluster);

}  // namespace gpu::plan
