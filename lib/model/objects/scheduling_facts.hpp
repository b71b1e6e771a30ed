#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/objects/api_group.hpp"
#include "model/objects/claim.hpp"
#include "model/objects/coverage.hpp"
#include "model/objects/event.hpp"
#include "model/objects/gpu_operator.hpp"
#include "model/objects/job.hpp"
#include "model/objects/karpenter.hpp"
#include "model/objects/queue.hpp"
#include "model/objects/volcano.hpp"
#include "model/objects/volume.hpp"
#include "model/objects/workload_object.hpp"

namespace gpu {

/// What we keep of a namespace: namespaceSelectors look at its labels.
struct Namespace {
  std::string name;
  StringMap labels;
  bool is_terminating = false;  ///< it is deleted: nothing new may be made in it
  friend bool operator==(const Namespace&, const Namespace&) = default;
};

/// What we keep of an apps/v1 DaemonSet: how a device plugin gets to its nodes.
struct DaemonSet {
  std::string ns;
  std::string name;
  StringMap labels;
  Pod pod;  ///< spec.template: never bound
  std::int64_t desired = 0;
  std::int64_t ready = 0;
  std::vector<std::string> config_maps;  ///< that a device plugin mounts; of others none
  friend bool operator==(const DaemonSet&, const DaemonSet&) = default;
};

/// What we keep of a scheduling.k8s.io PriorityClass.
struct PriorityClass {
  std::string name;
  std::int32_t value = 0;
  bool is_default = false;
  std::string preemption_policy;
  friend bool operator==(const PriorityClass&, const PriorityClass&) = default;
};

/// What we keep of a node.k8s.io RuntimeClass: what admission adds to its pods.
struct RuntimeClass {
  std::string name;
  ResourceList overhead;
  StringMap node_selector;
  std::vector<Toleration> tolerations;
  friend bool operator==(const RuntimeClass&, const RuntimeClass&) = default;
};

/// That a Secret exists: what is in it is never read.
struct SecretName {
  std::string ns;
  std::string name;
  friend bool operator==(const SecretName&, const SecretName&) = default;
};

/// What a ResourceQuota asks of the pods that it counts: one of its scopes, or an expression of its
/// scopeSelector.
struct QuotaScope {
  std::string name;  ///< Terminating, NotTerminating, BestEffort, PriorityClass, ...
  std::string op;    ///< Exists, DoesNotExist, In, NotIn: of names of PriorityClasses
  std::vector<std::string> values;
  friend bool operator==(const QuotaScope&, const QuotaScope&) = default;
};

/// What we keep of a core/v1 ResourceQuota.
struct ResourceQuota {
  std::string ns;
  std::string name;
  std::vector<QuotaScope> scopes;  ///< it counts pods of which all hold
  ResourceList hard;               ///< "requests.nvidia.com/gpu"
  ResourceList used;
  friend bool operator==(const ResourceQuota&, const ResourceQuota&) = default;
};

/// What a core/v1 LimitRange says of one type of thing; each list by resource name.
struct LimitRangeItem {
  std::string type;  ///< "Container", "Pod", "PersistentVolumeClaim"
  ResourceList max;
  ResourceList min;
  ResourceList default_limits;    ///< `default`: for a container that sets none
  ResourceList default_requests;  ///< `defaultRequest`
  ResourceList max_limit_request_ratio;
  friend bool operator==(const LimitRangeItem&, const LimitRangeItem&) = default;
};

/// What we keep of a core/v1 LimitRange.
struct LimitRange {
  std::string ns;
  std::string name;
  std::vector<LimitRangeItem> limits;
  friend bool operator==(const LimitRange&, const LimitRange&) = default;
};

/// What we keep of a policy/v1 PodDisruptionBudget.
struct DisruptionBudget {
  std::string ns;
  std::string name;
  std::optional<ObjectSelector>
      selector;                          ///< absent: it guards no pod; empty: all of its namespace
  std::int64_t disruptions_allowed = 0;  ///< status.disruptionsAllowed
  friend bool operator==(const DisruptionBudget&, const DisruptionBudget&) = default;
};

/// Whose pods the API server refused when it last tried to create one, by its newest event.
struct RefusedOwner {
  std::string ns;
  std::string kind;
  std::string name;
  std::string uid;
  bool is_gone = false;                      ///< it does not exist any more
  std::optional<std::int64_t> wanted;        ///< pods that it wants now; nothing: not known
  std::optional<OwnerReference> controller;  ///< of a ReplicaSet its Deployment
  friend bool operator==(const RefusedOwner&, const RefusedOwner&) = default;
};

/// What only why-pending asks of a cluster. A kind is sorted by namespace and name. A kind that
/// the API does not have is seen whole, and empty.
struct SchedulingFacts {
  std::vector<Namespace> namespaces;
  std::vector<PersistentVolumeClaim> volume_claims;
  std::vector<PersistentVolume> volumes;
  std::vector<StorageClass> storage_classes;
  std::vector<CsiNode> csi_nodes;
  std::vector<CsiDriver> csi_drivers;
  std::vector<StorageCapacity> storage_capacities;
  std::vector<VolumeAttachment> attachments;
  /// Of drivers that are not of GPUs; Snapshot::slices has the others.
  std::vector<ResourceSlice> other_slices;
  std::vector<ClaimTemplate> claim_templates;
  std::vector<DaemonSet> daemon_sets;
  std::vector<PriorityClass> priority_classes;
  std::vector<RuntimeClass> runtime_classes;
  std::vector<ResourceQuota> quotas;
  std::vector<LimitRange> limit_ranges;              ///< for planned pods only
  std::vector<DisruptionBudget> disruption_budgets;  ///< only for fit
  std::vector<QueuedWorkload> workloads;
  std::vector<LocalQueue> local_queues;
  std::vector<ClusterQueue> cluster_queues;
  std::vector<Cohort> cohorts;
  std::vector<KaiQueue> kai_queues;
  std::vector<VolcanoQueue> volcano_queues;         ///< only for quota and snapshots
  std::vector<VolcanoPodGroup> volcano_pod_groups;  ///< too
  std::vector<ResourceFlavor> resource_flavors;     ///< for planned pods only
  std::vector<ApiGroup> api_groups;                 ///< only for gen
  std::vector<Job> jobs;                            ///< only for cost and snapshots
  std::vector<QueueConfig> queue_configs;           ///< one at most; only for gen
  std::vector<SecretName> secrets;                  ///< only for gen
  std::vector<ClusterPolicy> cluster_policies;      ///< only for doctor
  std::vector<PluginConfig> plugin_configs;         ///< too
  /// Only for what manifests would cost.
  std::vector<KarpenterNodePool> karpenter_node_pools;
  std::vector<WorkloadObject> workload_objects;  ///< only those asked for by name
  /// What Kueue's Workloads stand for, where such objects were read whole: how they have ended.
  std::vector<WorkloadObject> queue_owners;
  std::vector<RefusedOwner> refused_owners;  ///< only for quota; those that were asked for
  std::vector<Event> events;                 ///< oldest first
  std::vector<std::string> leases;  ///< names in kube-system: schedulers elect a leader there
  /// How much was read of each kind, by its plural: "persistentvolumeclaims"; of a kind that shares
  /// its plural with another by plural and group: "queues.scheduling.volcano.sh". A kind that is
  /// not here was not asked for.
  std::map<std::string, Coverage, std::less<>> coverages;
};

/// Sight::none for a kind that was not asked for.
Coverage coverage_of(const SchedulingFacts& facts, std::string_view plural);

}  // namespace gpu
