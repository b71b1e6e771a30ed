#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The newest change of nodes, and of pods on them, that a snapshot shows: an object created,
/// tainted or cordoned, a condition that changed, a pod bound or started. Deleted objects leave no
/// trace. Gathered once for all pods: Cluster::shared().
struct NewestChange {
  explicit NewestChange(const scheduler::Cluster& cluster);
  std::optional<Time> when;
  std::string what;  ///< "node gpu-a4 was tainted"
};

}  // namespace gpu::diagnose
