#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quota/row.hpp"
#include "quota/volcano_queues.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::quota {

/// Who waits for quota, or holds it.
struct Party {
  std::string ns;
  std::string kind;  ///< "Job", "Pod", "PodGroup": what the workload stands for
  std::string name;
  std::string queue;  ///< that it waits in: of Kueue the LocalQueue; or holds quota of
  std::string flavor;
  std::optional<Quantity> units;  ///< nothing: not known
  /// Of an owner whose pods a ResourceQuota refuses: how many it lacks; nothing: at least 1.
  std::optional<std::int64_t> missing_pods;
  std::optional<std::chrono::seconds> since;
  std::string reason;  ///< in Kueue's or Volcano's words; of those that wait
};

/// Those that wait for one resource in one queue, and those whose quota they share.
struct Wait {
  Limiter limiter{};
  /// NAMESPACE/NAME of a ResourceQuota; empty: their LocalQueue, or its ClusterQueue, is missing.
  std::string queue;
  std::string resource;
  std::vector<Party> waiting;  ///< longest first
  /// In the queue and, of Kueue, in all queues of its cohorts; most units first, kMostHolders.
  std::vector<Party> holders;
  std::int64_t holders_left_out = 0;
};

inline constexpr std::size_t kMostHolders = 20;

/// How long ago `then` was; nothing where either is not known.
std::optional<std::chrono::seconds> since(const std::optional<Time>& then,
                                          const std::optional<Time>& now);

/// Sorts those that wait.
void longest_first(Wait& wait);

/// Leaves the largest kMostHolders of the holders, and counts the others.
void keep_largest(Wait& wait);

/// Who waits for whom: of Kueue, Volcano and KAI.
std::vector<Wait> waits_of(const scheduler::Cluster& cluster, const VolcanoQueues& volcano);

}  // namespace gpu::quota
