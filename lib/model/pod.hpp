#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.hpp"
#include "base/time.hpp"
#include "model/card_share.hpp"
#include "model/node.hpp"
#include "model/resource_list.hpp"

namespace gpu {

/// One entry of `metadata.ownerReferences`.
struct OwnerReference {
  std::string kind;
  std::string name;
  std::string uid;
  std::string api_version;
  bool controller = false;
  friend bool operator==(const OwnerReference&, const OwnerReference&) = default;
};

/// One entry of `spec.tolerations`.
struct Toleration {
  std::string key;
  std::string op;  ///< `operator`: Exists, Equal, or empty, which means Equal; Lt and Gt are new
  std::string value;
  std::string effect;
  friend bool operator==(const Toleration&, const Toleration&) = default;
};

/// One entry of a container's `ports`.
struct ContainerPort {
  std::string name;
  std::int32_t port = 0;  ///< containerPort
  friend bool operator==(const ContainerPort&, const ContainerPort&) = default;
};

/// What we keep of a container or init container.
struct Container {
  std::string name;
  std::string image;
  ResourceList requests;
  ResourceList limits;
  bool restarts_always = false;  ///< an init container with restartPolicy Always: a sidecar
  std::vector<ContainerPort> ports;
  friend bool operator==(const Container&, const Container&) = default;
};

/// Which devices the kubelet gave a container: status.containerStatuses[].allocatedResourcesStatus
/// (KEP-4680). The ID is the device plugin's, or for a claim the CDI device's.
struct AllocatedResource {
  std::string name;    ///< "nvidia.com/gpu", or "claim:NAME/REQUEST"
  std::string id;      ///< "GPU-4b3c...", "MIG-...", "GPU-4b3c...::3"
  std::string health;  ///< Healthy, Unhealthy, Unknown
  friend bool operator==(const AllocatedResource&, const AllocatedResource&) = default;
};

/// What the kubelet says of a container's resources; differs from the spec during a resize.
struct ContainerResourceStatus {
  std::string name;
  ResourceList allocated;                ///< status.containerStatuses[].allocatedResources
  std::optional<ResourceList> requests;  ///< status.containerStatuses[].resources.requests
  std::vector<AllocatedResource> devices;
  friend bool operator==(const ContainerResourceStatus&, const ContainerResourceStatus&) = default;
};

/// An extended resource of the pod that a DRA driver provides: the scheduler made a claim for it
/// (status.extendedResourceClaimStatus.requestMappings), and the claim holds the devices.
struct ExtendedResourceMapping {
  std::string container;
  std::string resource;  ///< "nvidia.com/gpu"
  std::string request;   ///< of the claim
  friend bool operator==(const ExtendedResourceMapping&, const ExtendedResourceMapping&) = default;
};

/// What we keep of a core/v1 Pod. Environment, commands, volumes' contents, managedFields and the
/// last-applied annotation are never read.
struct Pod {
  std::string ns;
  std::string name;
  std::string uid;
  StringMap labels;
  /// Only those in which sharing schedulers write what a pod got (is_device_annotation).
  StringMap annotations;
  std::vector<CardShare> card_shares;  ///< what annotations say
  std::vector<OwnerReference> owners;
  std::optional<Time> created;
  std::optional<Time> deleted;  ///< metadata.deletionTimestamp: terminating

  std::string node_name;  ///< empty while not bound
  std::string scheduler_name;
  std::optional<std::int32_t> priority;
  std::string priority_class;
  StringMap node_selector;
  std::vector<Toleration> tolerations;
  std::vector<std::string> scheduling_gates;
  std::vector<Container> containers;
  std::vector<Container> init_containers;
  ResourceList overhead;
  /// Names of the ResourceClaims of spec.resourceClaims, by what status says a template became;
  /// without those that are not made yet.
  std::vector<std::string> claims;
  /// Entries of spec.resourceClaims, made or not; without those that turned out to need no claim.
  std::int64_t claim_references = 0;
  std::string extended_claim;  ///< status.extendedResourceClaimStatus.resourceClaimName
  std::vector<ExtendedResourceMapping> extended_resources;
  std::optional<ResourceList> pod_requests;  ///< spec.resources.requests: pod-level resources
  std::optional<ResourceList> pod_limits;    ///< spec.resources.limits

  std::string phase;  ///< Pending, Running, Succeeded, Failed, Unknown
  std::string reason;
  std::vector<Condition> conditions;
  std::optional<Time> started;
  std::string nominated_node;
  std::string ip;       ///< status.podIP
  std::string host_ip;  ///< status.hostIP
  std::vector<ContainerResourceStatus> container_statuses;
  std::vector<ContainerResourceStatus> init_container_statuses;
  ResourceList allocated;                        ///< status.allocatedResources (pod level)
  std::optional<ResourceList> resized_requests;  ///< status.resources.requests (pod level)
  std::string resize;  ///< status.resize, or the PodResizePending condition's reason
  friend bool operator==(const Pod&, const Pod&) = default;
};

/// Phase Succeeded or Failed: holds nothing any more. A terminating pod still holds its devices.
bool is_finished(const Pod& pod);

/// Whether an annotation of a pod says which device it got, or how much of one: HAMi, Volcano,
/// aliyun gpushare, Run:ai. No others are kept.
bool is_device_annotation(std::string_view name);

}  // namespace gpu
