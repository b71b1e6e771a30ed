#include <algorithm>

#include "base/text.hpp"
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

/// What a device plugin that has gone leaves behind: the node has none of a resource that DRA's
/// class serves, and as long as it is named there the scheduler does not ask DRA for it. Seen with
/// Kubernetes 1.36.1.
void add_left_names(const CheckContext& context, const GpuNode& node, NodeResults& to) {
  if (!has_by(node, PoolSource::dra, node.vendor)) return;
  for (const DeviceClass& each : context.snapshot.device_classes) {
    const std::string& name = each.extended_resource;
    if (name.empty() || !node.node().allocatable.contains(name) ||
        amount_of(node.node().allocatable, name).value() > 0)
      continue;
    std::string path = name;
    if (const std::size_t slash = path.find('/'); slash != std::string::npos)
      path.replace(slash, 1, "~1");
    to.add(
        node.node(),
        "still lists " + name + ": 0, so pods that request it get no device from DRA there",
        StackFault::Reads::behind_name,
        "a device plugin left it behind: take it off the node's status",
        "kubectl patch node " + shell_quoted(node.node().name) +
            " --subresource status --type json -p " +
            shell_quoted("[{\"op\":\"remove\",\"path\":\"/status/capacity/" + path +
                         "\"},{\"op\":\"remove\",\"path\":\"/status/allocatable/" + path + "\"}]"));
  }
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
    add_left_names(context, node, both);
  }
  CheckResults results;
  both.append_to(results);
  if (!results.empty()) return results;
  if (!has_any_dra)
    return {{.state = CheckState::skipped, .says = "no DRA driver publishes GPUs here"}};
  return {{.says = "no node hands out its GPUs both by a device plugin and by DRA"}};
}

}  // namespace gpu::checkup
