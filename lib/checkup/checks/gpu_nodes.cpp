#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/phrase.hpp"
#include "checkup/checks/check.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::checkup {
namespace {

/// GPU resources that pods wait for.
std::set<std::string> wanted(const Snapshot& snapshot) {
  std::set<std::string> names;
  for (const Pod& pod : snapshot.pods) {
    if (!pod.node_name.empty() || is_finished(pod)) continue;
    for (const auto& [name, amount] : effective_requests(pod))
      if (gpu_resource(name) && amount > Quantity{}) names.insert(name);
  }
  return names;
}

}  // namespace

CheckResults check_gpu_nodes(const CheckContext& context) {
  if (context.nodes.empty() && context.snapshot.node_coverage != Coverage::whole)
    return {{.state = CheckState::failed,
             .says = "nodes were not read, so nothing is known of GPUs",
             .command = "kubectl auth can-i list nodes"}};
  if (context.nodes.empty()) {
    const std::set<std::string> names = wanted(context.snapshot);
    const std::string help =
        "a device plugin, or the operator of the GPUs' maker, makes them known; or add nodes with "
        "GPUs";
    if (names.empty())
      return {{.state = CheckState::warning,
               .says = "no node has GPUs, as far as resources, labels, taints and instance types "
                       "tell, and no pod waits for one",
               .help = help,
               .command = "kubectl get nodes --show-labels"}};
    return {{.state = CheckState::failed,
             .says = fmt::format(
                 "pods wait for {}, and no node that was read has GPUs, as far as resources, "
                 "labels, taints and instance types tell",
                 joined(names)),
             .help = help,
             .command = "kubectl gpu why-pending -A"}};
  }
  std::int64_t by_dra = 0;
  std::int64_t unknown = 0;
  for (const GpuNode& node : context.nodes) {
    const auto is_dra = [](const Pool* pool) { return pool->source == PoolSource::dra; };
    by_dra += std::any_of(node.pools.begin(), node.pools.end(), is_dra) ? 1 : 0;
    unknown += node.pools.empty() ? 1 : 0;
  }
  std::string says =
      counted(static_cast<std::int64_t>(context.nodes.size()), "node has GPUs", "nodes have GPUs");
  if (by_dra > 0) says += fmt::format(", {} of them by DRA", by_dra);
  if (unknown > 0) says += fmt::format(", of {} only a taint or a PCI device tells", unknown);
  return {{.says = std::move(says)}};
}

}  // namespace gpu::checkup
