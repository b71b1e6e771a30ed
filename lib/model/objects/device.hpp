#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/flat_map.hpp"
#include "base/resource_list.hpp"
#include "model/objects/node.hpp"
#include "model/objects/selector.hpp"

namespace gpu {

/// What a device takes out of a counter set of its pool while it is allocated.
struct CounterUse {
  std::string set;
  ResourceList counters;
  friend bool operator==(const CounterUse&, const CounterUse&) = default;
};

/// What a device attribute is, beside a string: CEL selectors compare by type.
enum class AttributeType { string, integer, boolean, version };

/// One device of a ResourceSlice, in the shape of resource.k8s.io/v1 (v1beta1 has the same facts
/// under `basic`).
struct Device {
  std::string name;
  /// Each value as text ("true", "7", "1.2.3"). Names of the driver's own domain stand without it:
  /// "type", "productName", "uuid"; others whole: "resource.kubernetes.io/pcieRoot".
  StringMap attributes;
  FlatMap<AttributeType> attribute_types;  ///< of those that are not strings; a list has no value
  ResourceList capacity;                   ///< "memory", named as attributes are
  /// Capacity that a claim takes that does not say how much: requestPolicy.default. A capacity that
  /// is missing here is taken whole.
  ResourceList default_request;
  std::vector<CounterUse> consumes;
  std::vector<Taint> taints;      ///< NoSchedule, NoExecute; None only informs
  bool allow_multiple = false;    ///< several claims may take a part of its capacity each
  std::string node_name;          ///< where perDeviceNodeSelection is used
  bool is_on_many_nodes = false;  ///< nodeSelector or allNodes of its own
  bool is_on_all_nodes = false;   ///< allNodes of its own
  NodeSelector node_selector;     ///< of its own, with perDeviceNodeSelection
  bool has_binding_conditions = false;
  friend bool operator==(const Device&, const Device&) = default;
};

/// A resource.k8s.io ResourceSlice: a part of a driver's pool of devices.
struct ResourceSlice {
  std::string name;
  std::string driver;  ///< "gpu.nvidia.com"
  std::string pool;
  std::int64_t generation = 0;
  std::int64_t slice_count = 0;     ///< slices that the pool has in this generation
  std::string node_name;            ///< empty: see the devices, or many nodes
  bool is_on_many_nodes = false;    ///< nodeSelector or allNodes
  bool is_on_all_nodes = false;     ///< allNodes
  bool selects_per_device = false;  ///< perDeviceNodeSelection
  NodeSelector node_selector;
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

/// Whether a DRA driver hands out GPUs and other accelerators: gpu.nvidia.com, gpu.amd.com,
/// gaudi.intel.com, tpu.google.com, neuron.aws.com. compute-domain.nvidia.com publishes channels.
bool is_gpu_driver(std::string_view driver);

}  // namespace gpu
