#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/objects/queue.hpp"
#include "quota/row.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::quota {

/// Workloads that wait, and what they request of one resource.
struct Waiting {
  std::int64_t workloads = 0;
  Quantity units;
};

/// What Workloads hold and wait for in one queue, as Kueue counts it in the queue's status.
struct QueueCount {
  using Amounts = std::map<std::pair<std::string_view, std::string_view>, Quantity>;
  Amounts reserved;  ///< by flavor and resource
  Amounts admitted;
  /// Each workload once for a resource: by waiting_flavor() and resource. The flavor is empty where
  /// the ClusterQueue does not exist, or has no quota of the resource.
  std::map<std::pair<std::string_view, std::string_view>, Waiting> waiting;
  std::int64_t pending = 0;  ///< without those of stopped LocalQueues
  std::int64_t reserving = 0;
  std::int64_t running = 0;
};

/// The counts of all queues. Refers to the cluster.
class KueueCounts {
 public:
  explicit KueueCounts(const scheduler::Cluster& cluster);

  /// Whether all Workloads were read; and, for what waits, all LocalQueues.
  [[nodiscard]] bool knows_held() const { return knows_held_; }
  [[nodiscard]] bool knows_waiting() const { return knows_waiting_; }
  [[nodiscard]] const QueueCount& of(const ClusterQueue& queue) const;
  [[nodiscard]] const QueueCount& of(const LocalQueue& queue) const;

 private:
  void add(const scheduler::Cluster& cluster, const QueuedWorkload& workload);

  bool knows_held_ = false;
  bool knows_waiting_ = false;
  std::map<std::string_view, QueueCount> cluster_queues_;
  std::map<std::pair<std::string_view, std::string_view>, QueueCount> local_queues_;
};

/// Whether a workload holds quota: it was given some, and has not finished.
bool holds_quota(const QueuedWorkload& workload);
/// Whether it waits for quota, as far as itself says.
bool waits_for_quota(const QueuedWorkload& workload);
/// What all its pods request of a resource.
Quantity requested_by(const QueuedWorkload& workload, std::string_view resource);

}  // namespace gpu::quota
