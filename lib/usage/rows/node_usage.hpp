#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "model/gpu/pool.hpp"
#include "model/snapshot/snapshot.hpp"
#include "usage/devices/use.hpp"
#include "usage/rows/inventory.hpp"

namespace gpu::usage {

/// The state of a node's GPUs in one word.
enum class NodeState {
  ready,
  unhealthy,
  no_plugin,
  dra,
  full,
  cordoned,
  leaving,
  tainted,
  not_ready
};

/// "Ready", "Cordoned", "NotReady", ...: never with a space.
std::string_view name_of(NodeState state);

/// What NVIDIA's operator does to a node's GPUs, by the node's labels. Until it has finished, the
/// device plugin is not running.
enum class OperatorWork { none, mig_layout, driver_upgrade };

/// One row of `top nodes`: a pool, with what is known of its node.
struct NodeUsage {
  Pool pool;
  NodeState state = NodeState::ready;
  OperatorWork work = OperatorWork::none;
  std::string instance_type;
  std::string zone;
  /// Where the cordon's taint says it.
  std::optional<Time> cordoned_at;
  Use use;  ///< of all units of the pool; those that are unavailable and not measured are left out
  OpenUse open_use;  ///< of those that are not unavailable
};

/// Every pool as a row, by node and resource name.
std::vector<NodeUsage> node_usage(const Inventory& inventory);

/// Totals over rows of one kind of device: cards are never added to slices or shares, and never
/// counted twice if they are in two pools.
struct UsageTotals {
  std::string label;  ///< total_label(): "GPUs", "MIG", "Shares", "TPUs", ...
  std::int64_t total = 0;
  std::int64_t nodes_of_unknown_total = 0;  ///< unregistered nodes whose labels have no count
  std::optional<std::int64_t> allocated;    ///< nothing when any row's is unknown
  std::optional<std::int64_t> free;
  std::optional<std::int64_t> unavailable;
  /// 0 to 1: mean use of those that are not unavailable. On a node where all are measured and it is
  /// not known which are unavailable, all count.
  std::optional<double> busy;
};

/// The totals of each kind of device among `rows`, GPUs first: the same above every view.
std::vector<UsageTotals> usage_totals(const std::vector<NodeUsage>& rows);

}  // namespace gpu::usage
