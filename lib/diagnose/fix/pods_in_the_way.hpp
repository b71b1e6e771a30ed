#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cluster/change.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// What may be ended in a search.
struct Endable {
  const NodeReasons& reasons;
  const std::set<std::string>& idle_pods;   ///< uids
  std::function<bool(const Pod&)> may_end;  ///< beside is_evictable_for()
};

/// `change` with the pods that have to end so that `pod` fits on a node. They are found by trials,
/// because for ports, volumes, devices and rules between pods no sum shows which pods matter. One
/// pod that is enough is best. Otherwise all are removed, and added again one by one as long as
/// `pod` fits, as preemption does. Nothing if no set of at most 8 pods helps.
std::optional<scheduler::Change> with_pods_ended(const scheduler::Cluster& cluster, const Pod& pod,
                                                 const scheduler::Change& change, std::size_t node,
                                                 const Endable& endable);

}  // namespace gpu::diagnose
