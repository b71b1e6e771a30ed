#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "admission/kueue/workload_pods.hpp"
#include "model/objects/queue.hpp"
#include "model/objects/workload_end.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::admission {

/// A workload that holds quota, and of which no pod was seen.
struct IdleWorkload {
  const QueuedWorkload* workload = nullptr;  ///< never null
  std::chrono::seconds since{0};             ///< that it was admitted
  std::int64_t gpus = 0;                     ///< that its pods request together
  SeenPods pods = {};
  std::optional<WorkloadEnd> end = {};  ///< of its owner, where that was read
};

/// Whether it is certain that nothing runs.
bool is_certain(const IdleWorkload& idle);

/// Those that were admitted longer ago than pods take to be created, at the moment of the snapshot;
/// none where that is not known. Workloads with admission checks are left out: they may run in
/// another cluster. Where pods were not all read, none of them is certain, unless its owner has
/// ended. Found once: Cluster::shared().
class IdleWorkloads {
 public:
  explicit IdleWorkloads(const scheduler::Cluster& cluster);
  [[nodiscard]] const std::vector<IdleWorkload>& all() const { return all_; }

 private:
  std::vector<IdleWorkload> all_;
};

}  // namespace gpu::admission
