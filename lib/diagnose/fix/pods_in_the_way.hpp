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

/// `change` with the pods that have to end so that `pod` fits on a node, found by trying: ports,
/// volumes, devices and rules between pods have no sum that says who is in the way. One pod that is
/// enough is better than several; else all are taken away, and given back as long as it fits, as
/// preemption does. Nothing where no set of at most 8 helps.
std::optional<scheduler::Change> with_pods_ended(const scheduler::Cluster& cluster, const Pod& pod,
                                                 const scheduler::Change& change, std::size_t node,
                                                 const Endable& endable);

}  // namespace gpu::diagnose
