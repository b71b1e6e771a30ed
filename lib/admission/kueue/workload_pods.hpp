#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/objects/queue.hpp"
#include "model/objects/workload_end.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::admission {

/// Whether pods of a Workload wait or run.
enum class HasPods : std::uint8_t { yes, no, unknown };

/// What pods there are of a Workload.
struct SeenPods {
  HasPods state = HasPods::unknown;
  std::string unread;  ///< unknown: what stands between it and its pods, "RayCluster"
};

/// The pods of Workloads by who controls them, by uid; made once for all: Cluster::shared(). That
/// there are none is known only where all was read that may stand between a Workload and its pods.
class WorkloadPods {
 public:
  explicit WorkloadPods(const scheduler::Cluster& cluster);

  [[nodiscard]] SeenPods of(const QueuedWorkload& workload) const;
  /// How its owner has ended, where that was read.
  [[nodiscard]] std::optional<WorkloadEnd> end_of(const QueuedWorkload& workload) const;
  [[nodiscard]] bool is_owner_read(const QueuedWorkload& workload) const;

 private:
  void add(const Pod& pod, const Snapshot& snapshot);
  [[nodiscard]] SeenPods of(const QueuedWorkload& workload, const OwnerReference& owner) const;
  [[nodiscard]] const WorkloadObject* owner_of(const QueuedWorkload& workload) const;

  std::set<std::string_view> in_chains_;  ///< uids of live pods and of all above them
  /// Kinds of controllers that were not read, and above which others may stand, by namespace.
  std::map<std::string_view, std::set<std::string_view>> unread_;
  std::map<std::string_view, std::vector<const Pod*>> live_;  ///< by namespace
  std::unordered_map<std::string_view, const WorkloadObject*> owners_;
};

}  // namespace gpu::admission
