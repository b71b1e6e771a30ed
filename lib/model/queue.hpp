#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/pod.hpp"

namespace gpu {

/// One entry of a Workload's spec.podSets: `count` pods alike.
struct PodSet {
  std::string name;
  std::int64_t count = 0;
  ResourceList requests;  ///< of one pod, as Kueue counts them
  friend bool operator==(const PodSet&, const PodSet&) = default;
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
  std::vector<Condition> conditions;
  friend bool operator==(const LocalQueue&, const LocalQueue&) = default;
};

/// What a ClusterQueue gives of one resource in one flavor.
struct FlavorQuota {
  std::string flavor;
  std::string resource;
  Quantity nominal;
  std::optional<Quantity> borrowing_limit;
  std::optional<Quantity> reserved;  ///< status.flavorsReservation: total, borrowed quota included
  friend bool operator==(const FlavorQuota&, const FlavorQuota&) = default;
};

/// What we keep of a kueue.x-k8s.io ClusterQueue.
struct ClusterQueue {
  std::string name;
  std::string cohort;
  std::string strategy;  ///< StrictFIFO, BestEffortFIFO
  std::string stop_policy;
  std::vector<FlavorQuota> quotas;
  std::vector<Condition> conditions;
  friend bool operator==(const ClusterQueue&, const ClusterQueue&) = default;
};

}  // namespace gpu
