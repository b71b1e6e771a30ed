#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/phrase.hpp"
#include "base/text.hpp"
#include "checkup/checks/check.hpp"
#include "checkup/checks/stack_part.hpp"
#include "diagnose/stack/dra_driver.hpp"
#include "model/gpu/gpu_labels.hpp"

namespace gpu::checkup {
namespace {

using diagnose::StackFault;

/// Kubelets that lose their connection to DRA drivers. Source: kubernetes 1.34.2's changelog.
bool loses_dra_drivers(std::string_view version) {
  for (const std::string_view bad : {"v1.34.0", "v1.34.1"})
    if (version.starts_with(bad) &&
        (version.size() == bad.size() || version[bad.size()] == '-' || version[bad.size()] == '+'))
      return true;
  return false;
}

/// Drivers of GPUs that something speaks of: slices, classes, DaemonSets.
std::set<std::string> drivers_in(const CheckContext& context) {
  std::set<std::string> drivers;
  for (const ResourceSlice& slice : context.snapshot.slices) drivers.insert(slice.driver);
  for (const DeviceClass& each : context.snapshot.device_classes)
    if (each.name == "gpu.nvidia.com" || each.name == "gpu.amd.com" || each.name == "gpu.intel.com")
      drivers.insert(each.name);
  const auto daemons =
      context.cluster.shared<diagnose::StackDaemons>().of(diagnose::DaemonRole::dra_driver);
  for (const DaemonSet* daemon : daemons)
    if (daemon->name.find("compute-domain") == std::string::npos)
      for (const std::string_view maker : {"nvidia", "amd", "intel"})
        if (diagnose::maker_in(daemon->name) == diagnose::maker_in(maker))
          drivers.insert("gpu." + std::string(maker) + ".com");
  return drivers;
}

bool has_slices(const CheckContext& context, const Node& node, const std::string& driver) {
  const auto& slices = context.snapshot.slices;
  return std::any_of(slices.begin(), slices.end(), [&](const ResourceSlice& slice) {
    return slice.node_name == node.name && slice.driver == driver;
  });
}

/// Whether the driver is meant for the node: it has a pod or slices there, or no device plugin
/// hands out the node's GPUs.
bool is_meant_for(const CheckContext& context, const GpuNode& node, const std::string& driver) {
  if (diagnose::maker_in(driver) && diagnose::maker_in(driver) != node.vendor) return false;
  if (has_slices(context, node.node(), driver)) return true;
  if (diagnose::dra_driver_pod(context.cluster, *node.state, driver) != nullptr) return true;
  return std::none_of(node.pools.begin(), node.pools.end(), [](const Pool* pool) {
    return pool->source == PoolSource::device_plugin && pool->allocatable > 0;
  });
}

void add_drivers(const CheckContext& context, const std::set<std::string>& drivers,
                 NodeResults& broken) {
  for (const std::string& driver : drivers) {
    for (const GpuNode& node : context.nodes) {
      if (!is_ready(node.node()) || !is_meant_for(context, node, driver)) continue;
      if (const auto fault = diagnose::absent_dra_driver(context.cluster, *node.state, driver)) {
        broken.add(node.node(), *fault);
        continue;
      }
      const Pod* const pod = diagnose::dra_driver_pod(context.cluster, *node.state, driver);
      if (pod == nullptr || context.snapshot.slice_coverage != Coverage::whole ||
          has_slices(context, node.node(), driver))
        continue;
      const std::string& kubelet = node.node().kubelet_version;
      const bool is_bug = loses_dra_drivers(kubelet);
      broken.add(
          node.node(), "the pod of the DRA driver " + driver + " runs, and has published no device",
          StackFault::Reads::by_itself,
          is_bug ? "the kubelet " + kubelet +
                       " loses its connection to DRA drivers: upgrade it to 1.34.2, or restart it"
                 : "read that pod's log; a kubelet that was just started takes half a minute",
          fmt::format("kubectl logs -n {} {}", shell_quoted(pod->ns), shell_quoted(pod->name)));
    }
  }
}

/// Kubelets of these versions lose drivers sooner or later.
void add_kubelets(const CheckContext& context, NodeResults& to) {
  for (const GpuNode& node : context.nodes)
    if (loses_dra_drivers(node.node().kubelet_version))
      to.add(node.node(),
             "has the kubelet " + node.node().kubelet_version +
                 ", which loses its connection to DRA drivers",
             StackFault::Reads::behind_name, "upgrade the kubelet to 1.34.2 or newer", {});
}

void add_class_of(const DeviceRequest& request, const CheckContext& context,
                  std::set<std::string>& missing) {
  if (!request.device_class.empty() &&
      context.cluster.device_class(request.device_class) == nullptr)
    missing.insert(request.device_class);
  for (const DeviceRequest& each : request.alternatives) add_class_of(each, context, missing);
}

void add_classes(const CheckContext& context, CheckResults& results) {
  if (coverage_of(context.snapshot.scheduling, "deviceclasses") != Coverage::whole) return;
  std::set<std::string> missing;
  for (const ResourceClaim& claim : context.snapshot.claims)
    if (!claim.is_allocated)
      for (const DeviceRequest& request : claim.requests) add_class_of(request, context, missing);
  for (const std::string& name : missing)
    results.push_back(
        {.state = CheckState::failed,
         .says = "claims name the DeviceClass " + name + ", which does not exist",
         .help = "the DRA driver's chart makes it; NVIDIA's does with resources.gpus.enabled=true",
         .command = "kubectl get deviceclasses"});
}

}  // namespace

CheckResults check_dra(const CheckContext& context) {
  const std::set<std::string> drivers = drivers_in(context);
  NodeResults broken(CheckState::failed);
  add_drivers(context, drivers, broken);
  CheckResults results;
  broken.append_to(results);
  add_classes(context, results);
  if (results.empty() && !drivers.empty()) {
    NodeResults kubelets(CheckState::warning);
    add_kubelets(context, kubelets);
    kubelets.append_to(results);
  }
  if (!results.empty()) return results;
  std::set<std::string_view> nodes;
  for (const ResourceSlice& slice : context.snapshot.slices) nodes.insert(slice.node_name);
  if (drivers.empty() || nodes.empty()) {
    const bool is_known = context.snapshot.slice_coverage == Coverage::whole;
    return {{.state = CheckState::skipped,
             .says = is_known ? "no DRA driver publishes GPUs here"
                              : "whether a DRA driver publishes GPUs is not known"}};
  }
  return {{.says = fmt::format("{} {} devices of {}", joined(drivers),
                               drivers.size() == 1 ? "publishes" : "publish",
                               counted(static_cast<std::int64_t>(nodes.size()), "node"))}};
}

}  // namespace gpu::checkup
