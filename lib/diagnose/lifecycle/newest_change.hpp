#pragma once

#include <optional>
#include <string>

#include "base/time.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The newest change of nodes and of pods on them that a snapshot tells of: made, tainted,
/// cordoned, a condition that turned, a pod bound or started. What has gone leaves no trace.
/// Gathered once for all pods: Cluster::shared().
struct NewestChange {
  explicit NewestChange(const scheduler::Cluster& cluster);
  std::optional<Time> when;
  std::string what;  ///< "node gpu-a4 was tainted"
};

}  // namespace gpu::diagnose
