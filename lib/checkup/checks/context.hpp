#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "checkup/checks/surroundings.hpp"
#include "diagnose/stack/gpu_stack.hpp"
#include "diagnose/stack/node_maintenance.hpp"
#include "model/gpu/gpu_labels.hpp"
#include "model/gpu/pool.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "usage/rows/inventory.hpp"

namespace gpu::checkup {

/// A node that has GPUs, or that something promises GPUs of.
struct GpuNode {
  const scheduler::NodeState* state = nullptr;  ///< never null
  std::vector<const Pool*> pools;               ///< empty: only promised
  Vendor vendor = Vendor::nvidia;               ///< of the first pool, or of what is promised
  std::optional<GpuLabels> labels;
  std::optional<diagnose::NodeMaintenance> work;  ///< a driver upgrade, a change of MIG layout

  [[nodiscard]] const Node& node() const { return *state->node; }
};

/// What is wrong with one resource of a node.
struct NodeFault {
  const GpuNode* node = nullptr;
  diagnose::StackFault fault;
};

/// What all checks look at, worked out once. Refers to the snapshot.
struct CheckContext {
  CheckContext(const Snapshot& of, const Surroundings& beside);
  CheckContext(const CheckContext&) = delete;

  const Snapshot& snapshot;
  const Surroundings& surroundings;
  scheduler::Cluster cluster;
  usage::Inventory inventory;
  std::vector<GpuNode> nodes;     ///< by name
  std::vector<NodeFault> faults;  ///< of the GPU stack of nodes that are ready, by node

  /// Of nodes with GPUs of this maker.
  [[nodiscard]] bool has_vendor(Vendor vendor) const;
  /// "6 nodes".
  [[nodiscard]] std::string all_nodes() const;
};

}  // namespace gpu::checkup
