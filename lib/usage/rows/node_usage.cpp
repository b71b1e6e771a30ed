#include "usage/rows/node_usage.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/quantity.hpp"
#include "model/pools/toleration.hpp"
#include "usage/rows/unit.hpp"

namespace gpu::usage {
namespace {

NodeState state_of(const Pool& pool) {
  // Pods go on computing while their device plugin is gone: nothing is unavailable, and yet no pod
  // could start there.
  const bool is_withdrawn = pool.source == PoolSource::device_plugin && pool.capacity > 0 &&
                            pool.allocatable == 0 && pool.reason == Unavailable::none;
  switch (is_withdrawn ? Unavailable::device_plugin_unhealthy : pool.reason) {
    case Unavailable::none:
      return NodeState::ready;
    case Unavailable::node_not_ready:
      return NodeState::not_ready;
    case Unavailable::cordoned:
      return NodeState::cordoned;
    case Unavailable::node_leaving:
      return NodeState::leaving;
    case Unavailable::node_tainted:
      return NodeState::tainted;
    case Unavailable::device_plugin_missing:
      return NodeState::no_plugin;
    case Unavailable::device_plugin_unhealthy:
    case Unavailable::gpu_unhealthy:
    case Unavailable::device_tainted:
      return NodeState::unhealthy;
    case Unavailable::too_many_pods:
      return NodeState::full;
    case Unavailable::managed_by_dra:
    case Unavailable::pool_incomplete:
      return NodeState::dra;
    case Unavailable::card_in_use:
      return NodeState::ready;
  }
  return NodeState::ready;
}

NodeState state_of(const Pool& pool, const PoolDevices& devices) {
  const NodeState state = state_of(pool);
  return state == NodeState::ready && lacks_devices(pool, devices) ? NodeState::unhealthy : state;
}

OperatorWork operator_work(const StringMap& labels) {
  const std::string_view plugin = value_of(labels, "nvidia.com/gpu.deploy.device-plugin");
  const std::string_view layout = value_of(labels, "nvidia.com/mig.config.state");
  if (plugin == "paused-for-mig-change" || layout == "pending" || layout == "rebooting")
    return OperatorWork::mig_layout;
  return plugin == "paused-for-driver-upgrade" ? OperatorWork::driver_upgrade : OperatorWork::none;
}

std::string first_of(const StringMap& labels, std::string_view key, std::string_view old_key) {
  const std::string_view value = value_of(labels, key);
  return std::string(value.empty() ? value_of(labels, old_key) : value);
}

/// Unknown swallows: a sum with one unknown part is unknown.
void add(std::optional<std::int64_t>& sum, const std::optional<std::int64_t>& part) {
  if (sum && part)
    *sum = capped_sum(*sum, *part);
  else
    sum.reset();
}

std::optional<Time> cordoned_at(const Node& node) {
  const auto cordon = std::find_if(node.taints.begin(), node.taints.end(), [](const Taint& taint) {
    return lifecycle_of(taint) == Unavailable::cordoned;
  });
  return cordon == node.taints.end() ? std::nullopt : cordon->added;
}

}  // namespace

std::string_view name_of(NodeState state) {
  switch (state) {
    case NodeState::ready:
      return "Ready";
    case NodeState::unhealthy:
      return "Unhealthy";
    case NodeState::no_plugin:
      return "NoPlugin";
    case NodeState::dra:
      return "DRA";
    case NodeState::full:
      return "PodsFull";
    case NodeState::cordoned:
      return "Cordoned";
    case NodeState::leaving:
      return "Leaving";
    case NodeState::tainted:
      return "Tainted";
    case NodeState::not_ready:
      return "NotReady";
  }
  return "";
}

std::vector<NodeUsage> node_usage(const Inventory& inventory) {
  const Snapshot& snapshot = inventory.snapshot;
  std::vector<NodeUsage> rows;
  auto node = snapshot.nodes.begin();
  for (std::size_t i = 0; i < inventory.pools.size(); ++i) {
    const Pool& pool = inventory.pools[i];
    // Pools stand in the order of their nodes, those of nodes that were not seen at the end.
    while (node != snapshot.nodes.end() && node->name != pool.node) ++node;
    if (node == snapshot.nodes.end()) break;
    rows.push_back({.pool = pool,
                    .state = state_of(pool, inventory.devices[i]),
                    .work = operator_work(node->labels),
                    .instance_type = first_of(node->labels, "node.kubernetes.io/instance-type",
                                              "beta.kubernetes.io/instance-type"),
                    .zone = first_of(node->labels, "topology.kubernetes.io/zone",
                                     "failure-domain.beta.kubernetes.io/zone"),
                    .cordoned_at = cordoned_at(*node),
                    .use = inventory.uses[i],
                    .open_use = inventory.open_uses[i]});
  }
  return rows;
}

namespace {

/// Adds up the busy units of each kind; unknown swallows.
class Busy {
 public:
  void add(const OpenUse& part) {
    if (part.units == 0) return;
    units_ += static_cast<double>(part.units);
    sum_ = sum_ && part.utilization
               ? std::optional(*sum_ + *part.utilization * static_cast<double>(part.units))
               : std::nullopt;
  }
  [[nodiscard]] std::optional<double> mean() const {
    return sum_ && units_ > 0 ? std::optional(*sum_ / units_) : std::nullopt;
  }

 private:
  std::optional<double> sum_ = 0.0;
  double units_ = 0;
};

}  // namespace

std::vector<UsageTotals> usage_totals(const std::vector<NodeUsage>& rows) {
  std::vector<UsageTotals> totals;
  std::map<std::string, Busy> busy;
  for (const NodeUsage& row : rows) {
    const std::string label = total_label(row.pool);
    auto at = std::find_if(totals.begin(), totals.end(),
                           [&](const UsageTotals& one) { return one.label == label; });
    if (at == totals.end()) {
      totals.push_back({.label = label, .allocated = 0, .free = 0, .unavailable = 0});
      at = totals.end() - 1;
    }
    busy[label].add(row.open_use);
    at->total = capped_sum(at->total, row.pool.total.value_or(0));
    if (!row.pool.total) ++at->nodes_of_unknown_total;
    add(at->allocated, row.pool.allocated);
    add(at->free, row.pool.free);
    // A node that promises GPUs without saying how many is told apart, not made the whole unknown.
    if (row.pool.total) add(at->unavailable, row.pool.unavailable);
  }
  for (UsageTotals& one : totals) one.busy = busy[one.label].mean();
  std::stable_sort(totals.begin(), totals.end(), [](const UsageTotals& a, const UsageTotals& b) {
    return a.label == "GPUs" && b.label != "GPUs";
  });
  return totals;
}

}  // namespace gpu::usage
