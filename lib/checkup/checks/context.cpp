#include "checkup/checks/context.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/phrase.hpp"
#include "diagnose/stack/gpu_promise.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::checkup {
namespace {

using diagnose::StackFault;
using scheduler::NodeState;

/// Makers of GPUs that pods wait for.
std::set<Vendor> wanted_vendors(const Snapshot& snapshot) {
  std::set<Vendor> vendors;
  for (const Pod& pod : snapshot.pods) {
    if (!pod.node_name.empty() || is_finished(pod)) continue;
    for (const auto& [name, amount] : effective_requests(pod))
      if (const auto gpu = gpu_resource(name); gpu && amount > Quantity{})
        vendors.insert(gpu->vendor);
  }
  return vendors;
}

/// Whose GPUs something promises on a node without any. A chip of AMD or Intel may be a part of the
/// processor: it counts where a pod waits for one.
std::optional<Vendor> promised_vendor(const scheduler::Cluster& cluster, const NodeState& node,
                                      const std::set<Vendor>& wanted) {
  for (const Vendor vendor : {Vendor::nvidia, Vendor::habana, Vendor::amd, Vendor::intel}) {
    const bool is_doubtful = vendor == Vendor::amd || vendor == Vendor::intel;
    if (is_doubtful && !wanted.contains(vendor)) continue;
    const auto resource = gpu_resource(usual_resource(vendor));
    if (resource && diagnose::is_promised(cluster, node, *resource)) return vendor;
  }
  return std::nullopt;
}

std::vector<GpuNode> gpu_nodes(const scheduler::Cluster& cluster,
                               const usage::Inventory& inventory) {
  const std::set<Vendor> wanted = wanted_vendors(cluster.snapshot());
  std::map<std::string_view, std::vector<const Pool*>> pools;
  for (const Pool& pool : inventory.pools) pools[pool.node].push_back(&pool);
  std::vector<GpuNode> nodes;
  for (const NodeState& state : cluster.nodes()) {
    GpuNode node{.state = &state, .pools = {}, .labels = gpu_labels(state.node->labels)};
    if (const auto found = pools.find(state.node->name); found != pools.end())
      node.pools = found->second;
    if (!node.pools.empty())
      node.vendor = node.pools.front()->kind.vendor;
    else if (const auto vendor = promised_vendor(cluster, state, wanted))
      node.vendor = *vendor;
    else
      continue;
    if (node.vendor == Vendor::nvidia && !state.node->deleted)
      node.work = diagnose::maintenance_of(cluster, state);
    nodes.push_back(std::move(node));
  }
  return nodes;
}

/// What is wrong with each resource of a node; where it has none, with the one that its cards
/// usually have.
void add_faults(const scheduler::Cluster& cluster, const GpuNode& node,
                std::vector<NodeFault>& faults) {
  std::vector<std::string> resources;
  for (const Pool* pool : node.pools)
    if (pool->source == PoolSource::device_plugin && !pool->is_second_view)
      resources.push_back(pool->resource);
  if (node.pools.empty()) resources.emplace_back(usual_resource(node.vendor));
  for (const std::string& resource : resources) {
    if (resource.empty()) continue;
    auto fault = diagnose::stack_fault(cluster, *node.state, resource);
    if (!fault || fault->code == diagnose::Code::resource_renamed) continue;
    // A node that is cut into slices has no whole cards left, which is no fault.
    if (fault->code == diagnose::Code::mig_mismatch && !fault->offers.empty()) continue;
    faults.push_back({.node = &node, .fault = *std::move(fault)});
  }
}

}  // namespace

CheckContext::CheckContext(const Snapshot& of, const Surroundings& beside)
    : snapshot(of),
      surroundings(beside),
      cluster(of),
      inventory(of, beside.now),
      nodes(gpu_nodes(cluster, inventory)) {
  for (const GpuNode& node : nodes)
    if (is_ready(node.node())) add_faults(cluster, node, faults);
}

bool CheckContext::has_vendor(Vendor vendor) const {
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](const GpuNode& node) { return node.vendor == vendor; });
}

std::string CheckContext::all_nodes() const {
  const auto number = static_cast<std::int64_t>(nodes.size());
  return number == 1 ? "1 node" : "all " + counted(number, "node");
}

}  // namespace gpu::checkup
