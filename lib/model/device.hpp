#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/flat_map.hpp"
#include "model/node.hpp"
#include "model/resource_list.hpp"

namespace gpu {

/// What a device takes out of a counter set of its pool while it is allocated.
struct CounterUse {
  std::string set;
  ResourceList counters;
  friend bool operator==(const CounterUse&, const CounterUse&) = default;
};

/// One device of a ResourceSlice, in the shape of resource.k8s.io/v1 (v1beta1 has the same facts
/// under `basic`).
struct Device {
  std::string name;
  /// Each value as text ("true", "7", "1.2.3"). Names of the driver's own domain stand without it:
  /// "type", "productName", "uuid"; others whole: "resource.kubernetes.io/pcieRoot".
  StringMap attributes;
  ResourceList capacity;  ///< "memory", named as attributes are
  /// Capacity that a claim takes that does not say how much: requestPolicy.default. A capacity that
  /// is missing here is taken whole.
  ResourceList default_request;
  std::vector<CounterUse> consumes;
  std::vector<Taint> taints;      ///< NoSchedule, NoExecute; None only informs
  bool allow_multiple = false;    ///< several claims may take a part of its capacity each
  std::string node_name;          ///< where perDeviceNodeSelection is used
  bool is_on_many_nodes = false;  ///< nodeSelector or allNodes of its own
  friend bool operator==(const Device&, const Device&) = default;
};

/// A resource.k8s.io ResourceSlice: a part of a driver's pool of devices.
struct ResourceSlice {
  std::string name;
  std::string driver;  ///< "gpu.nvidia.com"
  std::string pool;
  std::int64_t generation = 0;
  std::int64_t slice_count = 0;   ///< slices that the pool has in this generation
  std::string node_name;          ///< empty: see the devices, or many nodes
  bool is_on_many_nodes = false;  ///< nodeSelector or allNodes
  std::vector<Device> devices;
  std::vector<CounterUse> shared_counters;  ///< what the pool has: set, and its counters
  friend bool operator==(const ResourceSlice&, const ResourceSlice&) = default;
};

/// Where a device stands: the key of allocation results.
struct DeviceId {
  std::string driver;
  std::string pool;
  std::string device;
  friend bool operator==(const DeviceId&, const DeviceId&) = default;
  friend bool operator<(const DeviceId& a, const DeviceId& b) {
    return std::tie(a.driver, a.pool, a.device) < std::tie(b.driver, b.pool, b.device);
  }
};

/// One entry of a claim's status.allocation.devices.results.
struct AllocatedDevice {
  DeviceId id;
  std::string request;
  bool admin_access = false;  ///< looks at the device, takes nothing
  std::string share_id;       ///< which share of a device that allows several
  ResourceList consumed;      ///< consumedCapacity: of such a device
  friend bool operator==(const AllocatedDevice&, const AllocatedDevice&) = default;
};

/// One entry of a claim's spec.devices.requests; of `firstAvailable`, its first choice.
struct DeviceRequest {
  std::string name;
  std::string device_class;
  std::int64_t count = 1;
  bool wants_all = false;  ///< allocationMode All: count says nothing
  bool admin_access = false;
  friend bool operator==(const DeviceRequest&, const DeviceRequest&) = default;
};

/// A pod in a claim's status.reservedFor.
struct ClaimUser {
  std::string name;
  std::string uid;
  friend bool operator==(const ClaimUser&, const ClaimUser&) = default;
};

/// A resource.k8s.io ResourceClaim. What it holds is held until it is deallocated, with or without
/// a pod that uses it.
struct ResourceClaim {
  std::string ns;
  std::string name;
  std::string uid;
  std::vector<DeviceRequest> requests;
  bool is_allocated = false;
  std::vector<AllocatedDevice> devices;
  std::vector<ClaimUser> reserved_for;  ///< pods only
  friend bool operator==(const ResourceClaim&, const ResourceClaim&) = default;
};

/// A resource.k8s.io DeviceClass.
struct DeviceClass {
  std::string name;
  std::string extended_resource;  ///< spec.extendedResourceName: "nvidia.com/gpu"; may be empty
  std::string selectors;          ///< its CEL expressions, one per line
  friend bool operator==(const DeviceClass&, const DeviceClass&) = default;
};

/// Whether a DRA driver hands out GPUs and other accelerators: gpu.nvidia.com, gpu.amd.com,
/// gaudi.intel.com, tpu.google.com, neuron.aws.com. compute-domain.nvidia.com publishes channels.
bool is_gpu_driver(std::string_view driver);

}  // namespace gpu
