#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/objects/pod.hpp"
#include "model/objects/selector.hpp"

namespace gpu {

/// One entry of a Workload's spec.podSets: `count` pods alike.
struct PodSet {
  std::string name;
  std::int64_t count = 0;
  ResourceList requests;  ///< of one pod, as Kueue counts them
  // What of its template decides which flavors serve it.
  StringMap node_selector;
  std::optional<NodeSelector> node_affinity;  ///< required
  std::vector<Toleration> tolerations;
  friend bool operator==(const PodSet&, const PodSet&) = default;
};

/// What one set of pods of an admitted Workload takes of one resource, in the flavor that it was
/// given: without the pods that it says are no longer needed (status.reclaimablePods).
struct HeldQuota {
  std::string flavor;
  std::string resource;
  Quantity amount;
  friend bool operator==(const HeldQuota&, const HeldQuota&) = default;
};

/// What the status of a queue of Kueue counts of one resource in one flavor.
struct FlavorUse {
  std::string flavor;
  std::string resource;
  Quantity total;     ///< what is borrowed included
  Quantity borrowed;  ///< none of a LocalQueue
  friend bool operator==(const FlavorUse&, const FlavorUse&) = default;
};

/// What a queue of Kueue reports of itself; nothing where its controller wrote nothing.
struct QueueStatus {
  std::vector<FlavorUse> reserved;        ///< flavorsReservation: of Workloads with quota
  std::vector<FlavorUse> admitted;        ///< flavorsUsage: of those that were admitted, too
  std::optional<std::int64_t> pending;    ///< pendingWorkloads
  std::optional<std::int64_t> reserving;  ///< reservingWorkloads
  std::optional<std::int64_t> running;    ///< admittedWorkloads
  friend bool operator==(const QueueStatus&, const QueueStatus&) = default;
};

/// One entry of a Workload's status.admissionChecks: what must hold beside quota.
struct AdmissionCheck {
  std::string name;
  std::string state;  ///< Pending, Ready, Retry, Rejected
  std::string message;
  friend bool operator==(const AdmissionCheck&, const AdmissionCheck&) = default;
};

/// What we keep of a kueue.x-k8s.io Workload.
struct QueuedWorkload {
  std::string ns;
  std::string name;
  std::string uid;
  std::optional<Time> created;
  std::vector<OwnerReference> owners;  ///< the Job, or the pods of a group
  std::string queue;                   ///< spec.queueName: a LocalQueue
  bool is_active = true;               ///< spec.active
  std::optional<std::int32_t> priority;
  std::string cluster_queue;  ///< status.admission.clusterQueue, once quota is reserved
  std::vector<PodSet> pod_sets;
  std::vector<HeldQuota> held;  ///< status.admission.podSetAssignments; empty: it holds none
  std::vector<AdmissionCheck> admission_checks;
  std::vector<Condition> conditions;
  friend bool operator==(const QueuedWorkload&, const QueuedWorkload&) = default;
};

/// What we keep of a kueue.x-k8s.io LocalQueue.
struct LocalQueue {
  std::string ns;
  std::string name;
  std::string cluster_queue;
  std::string stop_policy;  ///< empty or None: open; Hold, HoldAndDrain
  QueueStatus status;
  std::vector<Condition> conditions;
  friend bool operator==(const LocalQueue&, const LocalQueue&) = default;
};

/// What a ClusterQueue, or a Cohort, gives of one resource in one flavor.
struct FlavorQuota {
  std::string flavor;
  std::string resource;
  Quantity nominal;
  std::optional<Quantity> borrowing_limit;
  std::optional<Quantity> lending_limit;
  /// status.flavorsReservation: total, borrowed quota included; none of a Cohort
  std::optional<Quantity> reserved;
  friend bool operator==(const FlavorQuota&, const FlavorQuota&) = default;
};

/// What we keep of a kueue.x-k8s.io ClusterQueue.
struct ClusterQueue {
  std::string name;
  std::string cohort;
  std::string strategy;  ///< StrictFIFO, BestEffortFIFO
  std::string stop_policy;
  std::optional<ObjectSelector> namespace_selector;  ///< absent: open to no namespace
  /// flavorFungibility.whenCanBorrow: it would rather take a later flavor than borrow
  bool tries_next_before_borrowing = false;
  std::vector<std::string> admission_checks;
  std::vector<FlavorQuota> quotas;
  QueueStatus status;
  std::vector<Condition> conditions;
  friend bool operator==(const ClusterQueue&, const ClusterQueue&) = default;
};

/// What we keep of a kueue.x-k8s.io Cohort: quotas of its own, beside those of its queues. Most
/// cohorts have no such object: a name that queues share is enough.
struct Cohort {
  std::string name;
  std::string parent;
  std::vector<FlavorQuota> quotas;
  friend bool operator==(const Cohort&, const Cohort&) = default;
};

/// What we keep of a kueue.x-k8s.io ResourceFlavor: of which nodes it is.
struct ResourceFlavor {
  std::string name;
  StringMap node_labels;
  std::vector<Taint> node_taints;
  std::vector<Toleration> tolerations;  ///< which its pods are given
  std::string topology;                 ///< Kueue looks for places in it, too
  friend bool operator==(const ResourceFlavor&, const ResourceFlavor&) = default;
};

/// What a Queue of KAI allows of one resource. Nothing: it does not limit it.
struct KaiAllowance {
  std::string resource;           ///< nvidia.com/gpu, cpu, memory
  std::optional<Quantity> quota;  ///< pods that cannot be preempted get no more than that
  std::optional<Quantity> limit;  ///< no pods get more than that
  friend bool operator==(const KaiAllowance&, const KaiAllowance&) = default;
};

/// What we keep of a scheduling.run.ai Queue, by which KAI and Run:ai share out a cluster.
struct KaiQueue {
  std::string name;
  std::string display_name;              ///< by which KAI's own sentences call it; often empty
  std::string parent;                    ///< empty: it stands at the top
  std::vector<KaiAllowance> allowances;  ///< of GPUs, CPU and memory, in that order
  /// status.allocated, with that of the queues below it; nothing: its status says nothing.
  std::optional<ResourceList> allocated;
  std::optional<ResourceList> allocated_non_preemptible;
  friend bool operator==(const KaiQueue&, const KaiQueue&) = default;
};

/// What we keep of Kueue's own configuration, in the ConfigMap kueue-manager-config.
struct QueueConfig {
  /// managedJobsNamespaceSelector, or what Kueue takes in its place: all namespaces but its own and
  /// kube-system.
  ObjectSelector managed_namespaces;
  friend bool operator==(const QueueConfig&, const QueueConfig&) = default;
};

}  // namespace gpu
