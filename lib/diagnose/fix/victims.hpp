#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// What ending some pods costs others. The least is the best, as in preemption: fewest pods, then
/// the lowest priority of the highest of them, then idle ones, then fewest GPUs, then those that
/// have run shortest.
struct EvictionCost {
  std::size_t pods = 0;
  std::int32_t priority = std::numeric_limits<std::int32_t>::min();
  bool is_busy = false;  ///< not all are known to be idle
  std::int64_t gpus = 0;
  std::int64_t seconds = 0;  ///< minus the start of the oldest; 0: unknown, which costs most
  friend auto operator<=>(const EvictionCost&, const EvictionCost&) = default;
};

/// The cost of ending pods that are on nodes.
EvictionCost eviction_cost_of(const scheduler::Cluster& cluster,
                              const std::vector<const Pod*>& pods, const NodeReasons& reasons,
                              const std::set<std::string>& idle_pods);

/// How many GPUs a pod on a node holds, of all kinds that the waiting pod requests.
std::int64_t gpus_held_by(const scheduler::Cluster& cluster, const Pod& pod,
                          const NodeReasons& reasons);

/// Which pods may be chosen: those for which is_evictable_for() is true, or is_evictable().
enum class VictimScope { evictable, any };

/// The pods of a node whose end would free what `pod` lacks there, of the least EvictionCost. Empty
/// if no set of at most 8 pods does. Leaves out pods of DaemonSets, static pods and the cluster's
/// own pods (kube-system).
std::vector<const scheduler::BoundPod*> victims_for(const scheduler::Cluster& cluster,
                                                    const Pod& pod, std::size_t node,
                                                    const NodeReasons& reasons,
                                                    const std::set<std::string>& idle_pods,
                                                    VictimScope whose = VictimScope::evictable);

}  // namespace gpu::diagnose
