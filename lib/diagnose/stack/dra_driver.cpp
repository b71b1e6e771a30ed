#include "diagnose/stack/dra_driver.hpp"

#include <algorithm>

#include "diagnose/stack/daemon_reach.hpp"
#include "diagnose/stack/stack_pods.hpp"
#include "model/gpu/gpu_labels.hpp"

namespace gpu::diagnose {
namespace {

/// By the name of a driver or of a class, "gpu.nvidia.com", or by what the class selects.
std::optional<Vendor> maker_of(const scheduler::Cluster& cluster, std::string_view driver) {
  if (auto maker = maker_in(driver)) return maker;
  for (const DeviceClass& each : cluster.snapshot().device_classes) {
    if (each.name != driver) continue;
    for (const std::string& selector : each.selectors)
      if (auto maker = maker_in(selector)) return maker;
  }
  return std::nullopt;
}

bool has_slices(const Snapshot& snapshot, const Node& node) {
  const auto is_of_node = [&](const ResourceSlice& slice) { return slice.node_name == node.name; };
  return std::any_of(snapshot.slices.begin(), snapshot.slices.end(), is_of_node);
}

bool should_have_devices(const Snapshot& snapshot, const Node& node, Vendor vendor) {
  const auto labels = gpu_labels(node.labels);
  return (labels && labels->vendor == vendor) || has_slices(snapshot, node);
}

StackFault no_driver(std::string_view driver) {
  return {
      .code = Code::driver_missing,
      .detail = "no DaemonSet of a DRA driver for " + std::string(driver) + " is in the cluster",
      .advice = {{.summary = "install the DRA driver of the GPUs' maker, or request the GPUs "
                             "of a device plugin"}}};
}

/// Its pod runs, and nobody has its devices.
StackFault unpublished(const Pod& pod) {
  return {.code = Code::driver_missing,
          .detail = "the DRA driver's pod " + pod.ns + "/" + pod.name +
                    " runs, and has published no device",
          .advice = {read_log_of(pod)}};
}

std::vector<const DaemonSet*> drivers_of(const scheduler::Cluster& cluster, Vendor vendor) {
  return cluster.shared<StackDaemons>().of(DaemonRole::dra_driver, vendor);
}

}  // namespace

const Pod* dra_driver_pod(const scheduler::Cluster& cluster, const scheduler::NodeState& node,
                          std::string_view driver) {
  const auto maker = maker_of(cluster, driver);
  return maker ? pod_on(node, DaemonRole::dra_driver, *maker) : nullptr;
}

std::optional<StackFault> absent_dra_driver(const scheduler::Cluster& cluster,
                                            const scheduler::NodeState& node,
                                            std::string_view driver) {
  if (const Pod* const pod = dra_driver_pod(cluster, node, driver)) {
    if (is_ready_pod(*pod)) return std::nullopt;
    return StackFault{.code = Code::driver_missing,
                      .detail = "the DRA driver's pod " + unready_text(*pod),
                      .advice = {read_log_of(*pod)}};
  }
  const auto maker = maker_of(cluster, driver);
  if (!maker || coverage_of(cluster.snapshot().scheduling, "daemonsets") != Coverage::whole)
    return std::nullopt;
  const auto daemons = drivers_of(cluster, *maker);
  if (daemons.empty()) return no_driver(driver);
  return absence_of(cluster, node, daemons);
}

std::optional<DriverFault> silent_dra_driver(const scheduler::Cluster& cluster,
                                             std::string_view driver) {
  const Snapshot& snapshot = cluster.snapshot();
  const auto maker = maker_of(cluster, driver);
  if (!maker) return std::nullopt;
  for (const scheduler::NodeState& node : cluster.nodes()) {
    if (!should_have_devices(snapshot, *node.node, *maker)) continue;
    auto fault = absent_dra_driver(cluster, node, driver);
    const Pod* const pod = dra_driver_pod(cluster, node, driver);
    if (!fault && pod != nullptr && snapshot.slice_coverage == Coverage::whole &&
        !has_slices(snapshot, *node.node))
      fault = unpublished(*pod);
    if (fault) return DriverFault{node.node->name, *std::move(fault)};
  }
  return std::nullopt;
}

bool has_dra_driver(const scheduler::Cluster& cluster, Vendor vendor) {
  const auto& classes = cluster.snapshot().device_classes;
  const bool has_class = std::any_of(classes.begin(), classes.end(), [&](const DeviceClass& each) {
    return is_gpu_driver(each.name) && maker_in(each.name) == vendor;
  });
  return has_class || !drivers_of(cluster, vendor).empty();
}

std::vector<Advice> advice_without_devices(const scheduler::Cluster& cluster) {
  const Snapshot& snapshot = cluster.snapshot();
  const bool has_devices = !snapshot.slices.empty() || !snapshot.scheduling.other_slices.empty();
  if (has_devices || snapshot.slice_coverage != Coverage::whole) return {};
  return {{.summary = "no driver has published a device: see whether the kubelet plugin of the DRA "
                      "driver runs on the nodes with GPUs, and what it logs",
           .command = "kubectl get resourceslices"}};
}

}  // namespace gpu::diagnose
