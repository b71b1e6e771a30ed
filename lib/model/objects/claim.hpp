#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/resource_list.hpp"
#include "base/time.hpp"
#include "model/objects/device.hpp"
#include "model/objects/node.hpp"
#include "model/objects/pod.hpp"
#include "model/objects/selector.hpp"

namespace gpu {

/// One entry of a claim's status.allocation.devices.results.
struct AllocatedDevice {
  DeviceId id;
  std::string request;
  bool admin_access = false;                    ///< looks at the device, takes nothing
  std::string share_id;                         ///< which share of a device that allows several
  ResourceList consumed;                        ///< consumedCapacity: of such a device
  std::vector<std::string> binding_conditions;  ///< must be True before a pod is bound (1.36)
  std::vector<std::string> binding_failure_conditions;
  std::vector<Condition> conditions;  ///< what status.devices says of it
  friend bool operator==(const AllocatedDevice&, const AllocatedDevice&) = default;
};

/// One entry of a claim's spec.devices.requests; of `firstAvailable`, its first choice, and all of
/// them in `alternatives`.
struct DeviceRequest {
  std::string name;
  std::string device_class;
  std::int64_t count = 1;
  bool wants_all = false;  ///< allocationMode All: count says nothing
  bool admin_access = false;
  std::vector<std::string> selectors;  ///< CEL expressions: all must hold
  std::vector<Toleration> tolerations;
  ResourceList capacity;                    ///< capacity.requests, of devices that allow several
  std::vector<DeviceRequest> alternatives;  ///< firstAvailable, by preference
  friend bool operator==(const DeviceRequest&, const DeviceRequest&) = default;
};

/// One entry of spec.devices.constraints: an attribute that the devices of `requests` (of all where
/// it is empty) must have in common, or each its own.
struct DeviceConstraint {
  std::vector<std::string> requests;
  std::string match_attribute;     ///< "resource.kubernetes.io/pcieRoot": qualified
  std::string distinct_attribute;  ///< the other kind
  friend bool operator==(const DeviceConstraint&, const DeviceConstraint&) = default;
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
  std::optional<Time> deleted;
  std::string owner_uid;  ///< of the controller: the pod it was made for
  std::vector<DeviceRequest> requests;
  std::vector<DeviceConstraint> constraints;
  bool is_allocated = false;
  std::optional<Time> allocated_at;           ///< status.allocation.allocationTimestamp
  std::optional<NodeSelector> node_selector;  ///< of the allocation; absent: all nodes
  std::vector<AllocatedDevice> devices;
  std::vector<ClaimUser> reserved_for;  ///< pods only
  bool is_reserved_for_others = false;  ///< by something that is no pod
  friend bool operator==(const ResourceClaim&, const ResourceClaim&) = default;
};

/// A resource.k8s.io ResourceClaimTemplate.
struct ClaimTemplate {
  std::string ns;
  std::string name;
  std::vector<DeviceRequest> requests;
  std::vector<DeviceConstraint> constraints;
  friend bool operator==(const ClaimTemplate&, const ClaimTemplate&) = default;
};

/// A resource.k8s.io DeviceClass.
struct DeviceClass {
  std::string name;
  std::string extended_resource;  ///< spec.extendedResourceName: "nvidia.com/gpu"; may be empty
  std::vector<std::string> selectors;  ///< CEL expressions: all must hold
  std::optional<Time> created;
  friend bool operator==(const DeviceClass&, const DeviceClass&) = default;
};

}  // namespace gpu
