#pragma once

#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/objects/queue.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::admission {

/// Whether a stopPolicy keeps a queue from admitting.
bool is_stopped(std::string_view policy);

/// Kueue's objects by what others call them by, and who is first in each queue; made once for all
/// pods: Cluster::shared(). All of it is null where there is none.
class KueueIndex {
 public:
  explicit KueueIndex(const scheduler::Cluster& cluster);

  [[nodiscard]] const LocalQueue* local_queue(const QueuedWorkload& workload) const;
  [[nodiscard]] const ClusterQueue* cluster_queue(std::string_view name) const;
  /// Whether two queues may lend each other quota: their cohorts are of one tree.
  [[nodiscard]] bool share_quota(const ClusterQueue& a, const ClusterQueue& b) const;
  [[nodiscard]] const QueuedWorkload* workload_with(std::string_view uid) const;
  /// The Workload of an owner, by its uid or, where that is unknown, by kind and name.
  [[nodiscard]] const QueuedWorkload* workload_of(std::string_view ns, std::string_view kind,
                                                  std::string_view name,
                                                  std::string_view uid) const;
  /// An older workload of the same ClusterQueue that is not admitted: with StrictFIFO nobody behind
  /// it is looked at.
  [[nodiscard]] const QueuedWorkload* head_before(const QueuedWorkload& workload) const;

 private:
  using Pair = std::pair<std::string_view, std::string_view>;
  using Triple = std::tuple<std::string_view, std::string_view, std::string_view>;
  struct Owned {
    const QueuedWorkload* workload = nullptr;
    std::string_view uid;
  };

  void add(const QueuedWorkload& workload);

  std::map<Pair, const LocalQueue*> local_queues_;  ///< by namespace and name
  std::unordered_map<std::string_view, const ClusterQueue*> cluster_queues_;
  std::unordered_map<std::string_view, std::string_view> roots_;  ///< by ClusterQueue
  std::unordered_map<std::string_view, const QueuedWorkload*> by_uid_;
  std::map<Pair, const QueuedWorkload*> by_owner_uid_;  ///< and namespace; the first one
  std::map<Triple, std::vector<Owned>> by_owner_name_;  ///< namespace, kind, name
  std::unordered_map<std::string_view, const QueuedWorkload*> heads_;  ///< by ClusterQueue
};

}  // namespace gpu::admission
