#include <algorithm>

#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"

namespace gpu::checkup {
namespace {

using diagnose::StackFault;

bool has_by(const GpuNode& node, PoolSource source, Vendor vendor) {
  return std::any_of(node.pools.begin(), node.pools.end(), [&](const Pool* pool) {
    return pool->source == source && pool->kind.vendor == vendor && pool->allocatable > 0;
  });
}

}  // namespace

CheckResults check_two_ways(const CheckContext& context) {
  NodeResults both(CheckState::warning);
  bool has_any_dra = false;
  for (const GpuNode& node : context.nodes) {
    has_any_dra = has_any_dra || has_by(node, PoolSource::dra, node.vendor);
    if (has_by(node, PoolSource::dra, node.vendor) &&
        has_by(node, PoolSource::device_plugin, node.vendor))
      both.add(node.node(),
               "hands out its GPUs by a device plugin and by DRA, so that two pods may get the "
               "same card",
               StackFault::Reads::behind_name,
               "take one of the two off the node: a nodeSelector or an affinity of its DaemonSet",
               "kubectl get daemonsets -A");
  }
  CheckResults results;
  both.append_to(results);
  if (!results.empty()) return results;
  if (!has_any_dra)
    return {{.state = CheckState::skipped, .says = "no DRA driver publishes GPUs here"}};
  return {{.says = "no node hands out its GPUs by both"}};
}

}  // namespace gpu::checkup
