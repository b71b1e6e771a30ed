#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "model/objects/node.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Work on a node that ends with the node back in service, or removed. Whoever does the work has
/// cordoned the node, and uncordoning it by hand is no fix.
struct NodeMaintenance {
  enum class Work : std::uint8_t { removal, driver_upgrade, mig_layout } work{};
  std::string what;     ///< "a driver upgrade is under way (drain-required)"
  std::string nearest;  ///< for the table of all pods: "once its driver is upgraded"
  Advice advice;
  bool is_stuck = false;          ///< it has failed, or takes longer than it may
  std::vector<Advice> more = {};  ///< of work that seems stuck: what else to try
};

/// By the node's deletionTimestamp, and by the labels of NVIDIA's operator: a driver upgrade, a
/// change of the MIG layout. Does not check how long it has lasted.
std::optional<NodeMaintenance> maintenance_of(const Node& node);

/// The same, and whether it seems stuck. Labels have no time, so the age of the work is that of the
/// node's cordon, otherwise how long pods have waited for such GPUs.
std::optional<NodeMaintenance> maintenance_of(const scheduler::Cluster& cluster,
                                              const scheduler::NodeState& node);

/// Whether `kubectl uncordon` is a fix: the node is cordoned, ready and healthy, and no work holds
/// it.
bool may_be_uncordoned(const Node& node);

}  // namespace gpu::diagnose
