#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quota/row.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::quota {

/// Why what holds quota runs nothing.
enum class IdleReason : std::uint8_t {
  ended,      ///< its owner has finished or failed
  no_pods,    ///< no pod of it waits or runs
  not_seen,   ///< no pod of it was seen, and not all that it may have made was read
  not_bound,  ///< a pod that waits for a node
};

/// "ended", "no-pods", "not-seen", "not-bound".
std::string_view name_of(IdleReason reason);

/// A holder of quota that runs nothing.
struct IdleHolder {
  Limiter limiter{};
  std::string queue;  ///< the ClusterQueue's name, or NAMESPACE/NAME of the ResourceQuota
  std::string ns;
  std::string kind;  ///< "RayJob", "Pod"
  std::string name;
  std::string resource;
  std::string flavor;
  Quantity units;
  std::optional<std::chrono::seconds> since;
  IdleReason reason{};
};

/// Workloads that hold quota of Kueue and have no pods, longer than pods take to be created; and
/// pods that a ResourceQuota counts and that have waited for a node for as long. Most units first.
std::vector<IdleHolder> idle_holders(const scheduler::Cluster& cluster,
                                     const std::vector<QuotaRow>& rows);

}  // namespace gpu::quota
