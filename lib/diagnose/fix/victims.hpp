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

/// What the end of pods takes from others; the least is the best, as in preemption: fewest pods,
/// then the lowest priority of the highest of them, then idle ones, then fewest GPUs, then those
/// that have run shortest.
struct EvictionCost {
  std::size_t pods = 0;
  std::int32_t priority = std::numeric_limits<std::int32_t>::min();
  bool is_busy = false;  ///< not all are known to be idle
  std::int64_t gpus = 0;
  std::int64_t seconds = 0;  ///< minus the start of the oldest; 0: unknown, and so the dearest
  friend auto operator<=>(const EvictionCost&, const EvictionCost&) = default;
};

/// The toll of pods that are on nodes.
EvictionCost eviction_cost_of(const scheduler::Cluster& cluster,
                              const std::vector<const Pod*>& pods, const NodeReasons& reasons,
                              const std::set<std::string>& idle_pods);

/// How many of the GPUs that the asked pod asks for, whichever, a pod on a node holds.
std::int64_t gpus_held_by(const scheduler::Cluster& cluster, const Pod& pod,
                          const NodeReasons& reasons);

/// Which pods are looked at: those that may_be_ended_for() names, or all that may_be_ended() does.
enum class VictimScope { evictable, any };

/// The pods of a node whose end would give `pod` what is short there, of the least toll. Empty
/// where no set of at most 8 does. Pods of DaemonSets, static pods and the cluster's own
/// (kube-system) are left alone.
std::vector<const scheduler::BoundPod*> victims_for(const scheduler::Cluster& cluster,
                                                    const Pod& pod, std::size_t node,
                                                    const NodeReasons& reasons,
                                                    const std::set<std::string>& idle_pods,
                                                    VictimScope whose = VictimScope::evictable);

}  // namespace gpu::diagnose
