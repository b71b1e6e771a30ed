#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/cycle/verdict.hpp"

namespace gpu::plan {

/// The room that the scheduler makes for a pod by itself.
struct PreemptedRoom {
  std::size_t node = 0;             ///< in cluster.nodes()
  std::vector<const Pod*> victims;  ///< the most important first
};

/// What preemption would do for `pod`, of which `verdict` is: on the node that the scheduler takes,
/// as long as no PodDisruptionBudget has a say. Nothing where it makes no room.
std::optional<PreemptedRoom> room_by_preemption(const scheduler::Cluster& cluster, const Pod& pod,
                                                const scheduler::Verdict& verdict);

/// Of several nodes that cost the same the scheduler takes any, and it knows of budgets.
diagnose::Remark may_stop_others();

/// "ml/low-0 and ml/low-1", at most 4 by name.
std::string names_of(const std::vector<std::string>& pods);

/// Lets the answer for a pod that is not made yet say that it starts by preemption, where it does,
/// and whom that stops.
void start_by_preemption(diagnose::Explanation& answer, const scheduler::Cluster& cluster,
                         const Pod& pod);

}  // namespace gpu::plan
