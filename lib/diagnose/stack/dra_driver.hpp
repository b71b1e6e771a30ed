#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/stack/stack_fault.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// What is wrong with a DRA driver on a node.
struct DriverFault {
  std::string node;
  StackFault fault;  ///< its `detail` reads by itself, and its code says nothing
};

/// Why `driver` ("gpu.nvidia.com", or a DeviceClass of it) cannot serve a node: its kubelet
/// plugin's pod is not ready, or there is none, and why its DaemonSet creates none there. Nothing
/// if a pod runs, or if the reason is not known.
std::optional<StackFault> absent_dra_driver(const scheduler::Cluster& cluster,
                                            const scheduler::NodeState& node,
                                            std::string_view driver);

/// The first node that should have devices of `driver`, by its labels or by the slices that it
/// still has, and whose driver is absent, or runs and has published none. If slices were not read,
/// published devices are not known, and only an absent driver is reported.
std::optional<DriverFault> silent_dra_driver(const scheduler::Cluster& cluster,
                                             std::string_view driver);

/// The pod of the kubelet plugin of `driver` on a node; null if none was read.
const Pod* dra_driver_pod(const scheduler::Cluster& cluster, const scheduler::NodeState& node,
                          std::string_view driver);

/// Whether a DRA driver allocates the GPUs of a maker: one of its DaemonSets or pods exists, or one
/// of its DeviceClasses.
bool has_dra_driver(const scheduler::Cluster& cluster, Vendor vendor);

/// What helps if no driver has published a device at all; nothing if one has, or if slices were not
/// read.
std::vector<Advice> advice_without_devices(const scheduler::Cluster& cluster);

}  // namespace gpu::diagnose
