#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/flat_map.hpp"
#include "base/resource_list.hpp"
#include "base/time.hpp"
#include "model/gpu/card_share.hpp"
#include "model/objects/container.hpp"
#include "model/objects/node.hpp"
#include "model/objects/placement.hpp"
#include "model/objects/volume.hpp"

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
  std::optional<std::int64_t> seconds;  ///< tolerationSeconds, of NoExecute
  friend bool operator==(const Toleration&, const Toleration&) = default;
};

/// An extended resource of the pod that a DRA driver provides: the scheduler made a claim for it
/// (status.extendedResourceClaimStatus.requestMappings), and the claim holds the devices.
struct ExtendedResourceMapping {
  std::string container;
  std::string resource;  ///< "nvidia.com/gpu"
  std::string request;   ///< of the claim
  friend bool operator==(const ExtendedResourceMapping&, const ExtendedResourceMapping&) = default;
};

/// One entry of `spec.resourceClaims`, with what status says became of it.
struct ClaimReference {
  std::string name;
  std::string claim_template;  ///< resourceClaimTemplateName; empty: names a claim itself
  std::string claim;           ///< the ResourceClaim's name; empty while it is not made
  bool needs_none = false;     ///< status says that no claim is needed for it
  friend bool operator==(const ClaimReference&, const ClaimReference&) = default;
};

/// What we keep of a core/v1 Pod. Environment and commands (but Container::collect_interval),
/// volumes' contents, managedFields and the last-applied annotation are never kept.
struct Pod {
  std::string ns;
  std::string name;
  std::string uid;
  StringMap labels;
  /// Only those that schedulers of shared GPUs or of groups read or write, and those that keep a
  /// pod where it is (is_device_annotation).
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
  Placement placement;
  std::vector<PodVolume> volumes;
  std::string preemption_policy;  ///< empty: PreemptLowerPriority
  std::string runtime_class;
  bool host_network = false;
  bool has_empty_dir = false;   ///< a volume of it is an emptyDir: what is in it goes with the pod
  bool has_host_path = false;   ///< a volume of it is a hostPath: what is in it stays on the node
  bool has_deadline = false;    ///< spec.activeDeadlineSeconds: quotas call it Terminating
  bool isolates_users = false;  ///< spec.hostUsers is false: a user namespace of its own
  std::string pod_group;        ///< spec.schedulingGroup.podGroupName (1.36)
  std::vector<std::string> scheduling_gates;
  std::vector<Container> containers;
  std::vector<Container> init_containers;
  ResourceList overhead;
  /// Names of the ResourceClaims of spec.resourceClaims, by what status says a template became;
  /// without those that are not made yet.
  std::vector<std::string> claims;
  /// Entries of spec.resourceClaims, made or not; without those that turned out to need no claim.
  std::int64_t claim_references = 0;
  std::vector<ClaimReference> claim_slots;  ///< spec.resourceClaims as it stands, in its order
  std::string extended_claim;  ///< status.extendedResourceClaimStatus.resourceClaimName
  std::vector<ExtendedResourceMapping> extended_resources;
  std::optional<ResourceList> pod_requests;  ///< spec.resources.requests: pod-level resources
  std::optional<ResourceList> pod_limits;    ///< spec.resources.limits

  std::string phase;  ///< Pending, Running, Succeeded, Failed, Unknown
  std::string reason;
  std::string message;
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

/// Whether it failed because the kubelet would not take it: it held no device.
bool is_refused_by_kubelet(const Pod& pod);

/// Whether an annotation of a pod says which device it got or asks for, how much of one, or its
/// group or queue: HAMi, Volcano, aliyun gpushare, KAI, Run:ai, YuniKorn; or forbids to evict it:
/// cluster-autoscaler, Karpenter. No others are kept.
bool is_device_annotation(std::string_view name);

}  // namespace gpu
