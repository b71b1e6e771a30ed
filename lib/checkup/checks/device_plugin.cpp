#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/contains.hpp"
#include "base/phrase.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "diagnose/stack/dra_driver.hpp"
#include "diagnose/stack/resource_names.hpp"
#include "diagnose/stack/stack_pods.hpp"
#include "model/objects/own_kind.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::checkup {
namespace {

using diagnose::Code;
using diagnose::DaemonRole;
using diagnose::StackFault;

bool is_of_plugin(Code code) {
  return code == Code::device_plugin_missing || code == Code::device_plugin_unhealthy;
}

bool is_by_plugin(const GpuNode& node) {
  return std::any_of(node.pools.begin(), node.pools.end(), [](const Pool* pool) {
    return pool->source == PoolSource::device_plugin && pool->allocatable > 0;
  });
}

/// Nobody installed a device plugin for GPUs of this maker, and somebody a DRA driver.
bool is_of_dra(const CheckContext& context, Vendor vendor) {
  return coverage_of(context.snapshot.scheduling, "daemonsets") == Coverage::whole &&
         context.cluster.shared<diagnose::StackDaemons>()
             .of(DaemonRole::device_plugin, vendor)
             .empty() &&
         diagnose::has_dra_driver(context.cluster, vendor);
}

/// Another check tells why the node has no GPUs.
bool is_of_others(const CheckContext& context, const GpuNode& node) {
  return node.work.has_value() || is_of_dra(context, node.vendor);
}

/// A plugin that has registered, and whose pod is not ready now: its GPUs go in a moment.
void add_unready_pods(const CheckContext& context, NodeResults& to) {
  for (const GpuNode& node : context.nodes) {
    if (!is_ready(node.node()) || !is_by_plugin(node)) continue;
    const Pod* const pod = diagnose::pod_on(*node.state, DaemonRole::device_plugin, node.vendor);
    if (pod == nullptr || diagnose::is_ready_pod(*pod)) continue;
    to.add(node.node(), StackFault{.code = Code::device_plugin_unhealthy,
                                   .detail = "the pod " + diagnose::unready_text(*pod),
                                   .advice = {diagnose::read_log_of(*pod)}});
  }
}

/// Plugins of virtual machines advertise cards under other names.
bool is_of_machines(std::string_view daemon) {
  return contains(daemon, "sandbox") || contains(daemon, "kubevirt");
}

/// DaemonSets whose pods of a device plugin run on a node: of one maker, for one resource, as far
/// as their names tell.
std::set<std::string> plugins_on(const GpuNode& node) {
  std::set<std::string> daemons;
  for (const scheduler::BoundPod& bound : node.state->pods) {
    const Pod& pod = *bound.pod;
    if (is_finished(pod) || pod.deleted ||
        !diagnose::is_of_role(DaemonRole::device_plugin, pod, node.vendor))
      continue;
    for (const OwnerReference& owner : pod.owners)
      if (is_own(owner, "DaemonSet") && !is_of_machines(owner.name))
        daemons.insert(pod.ns + "/" + owner.name);
  }
  return daemons;
}

/// Of two plugins for one resource the kubelet takes the one that registered last.
void add_doubles(const CheckContext& context, NodeResults& to) {
  for (const GpuNode& node : context.nodes) {
    const std::set<std::string> daemons = plugins_on(node);
    if (daemons.size() < 2) continue;
    to.add(node.node(),
           fmt::format("has {} device plugins of one resource, of the DaemonSets {}",
                       daemons.size(), joined(daemons)),
           StackFault::Reads::behind_name,
           "the kubelet uses the one that registered last, so the number and the settings of GPUs "
           "change with each restart: delete one of the DaemonSets, or keep it off these nodes",
           "kubectl get daemonsets -A -o wide");
  }
}

/// Names of GPU resources that pods wait for and no node has, while nodes have them by another.
void add_other_names(const CheckContext& context, CheckResults& results) {
  std::set<std::string> told;
  for (const Pod& pod : context.snapshot.pods) {
    if (!pod.node_name.empty() || is_finished(pod)) continue;
    for (const auto& [name, amount] : effective_requests(pod)) {
      if (amount <= Quantity{} || !gpu_resource(name) || !told.insert(name).second) continue;
      if (context.cluster.shared<diagnose::ResourceNames>().is_offered(name)) continue;
      for (const GpuNode& node : context.nodes) {
        const auto fault = diagnose::stack_fault(context.cluster, *node.state, name);
        if (!fault || fault->code != Code::resource_renamed) continue;
        results.push_back(
            {.state = CheckState::warning,
             .says = fmt::format("pods wait for {}, which no node has: {} advertises {}", name,
                                 node.node().name, fault->other_name),
             .help = fault->advice.empty() ? "" : fault->advice.front().summary,
             .command = "kubectl gpu why-pending -A",
             .nodes = {node.node().name}});
        break;
      }
    }
  }
}

CheckResult running_result(const CheckContext& context) {
  std::int64_t running = 0;
  std::int64_t advertising = 0;
  std::int64_t wanted = 0;
  for (const GpuNode& node : context.nodes) {
    const bool is_dra = std::all_of(node.pools.begin(), node.pools.end(), [](const Pool* pool) {
      return pool->source == PoolSource::dra;
    });
    if (is_dra || is_of_dra(context, node.vendor)) continue;
    ++wanted;
    advertising += is_by_plugin(node) ? 1 : 0;
    const Pod* const pod = diagnose::pod_on(*node.state, DaemonRole::device_plugin, node.vendor);
    running += pod != nullptr && diagnose::is_ready_pod(*pod) ? 1 : 0;
  }
  if (wanted == 0)
    return {.state = CheckState::skipped, .says = "DRA hands out the GPUs of all nodes"};
  const std::string nodes = fmt::format("{} of {}", advertising, counted(wanted, "node"));
  if (running == wanted)
    return {.says = "running on " + nodes + ", and every GPU it should see is advertised"};
  return {.says = "GPUs are advertised on " + nodes};
}

}  // namespace

CheckResults check_device_plugin(const CheckContext& context) {
  NodeResults broken(CheckState::failed);
  for (const NodeFault& each : context.faults)
    if (is_of_plugin(each.fault.code) && !is_of_others(context, *each.node))
      broken.add(each.node->node(), each.fault);
  add_unready_pods(context, broken);
  CheckResults results;
  broken.append_to(results);
  NodeResults doubles(CheckState::failed);
  add_doubles(context, doubles);
  doubles.append_to(results);
  add_other_names(context, results);
  if (results.empty()) results.push_back(running_result(context));
  return results;
}

}  // namespace gpu::checkup
