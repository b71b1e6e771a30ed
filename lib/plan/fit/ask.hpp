#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "admission/kueue/forecast.hpp"
#include "model/snapshot/planned_pod.hpp"
#include "plan/fit/result.hpp"
#include "plan/queue_admission.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::plan {

/// The pods of one template, as the scheduler gets to see them.
struct AskedPods {
  PlannedPod planned;         ///< with what Kueue's flavors add
  std::size_t row = 0;        ///< of the answer
  std::int64_t admitted = 0;  ///< pods that quotas of queues let through, at most the count
  std::optional<admission::QueueOpinion> opinion;  ///< Kueue's, where a queue has it
};

/// The templates of one object, whose pods may work together.
struct AskedObject {
  std::vector<AskedPods> parts;
  Gang gang = Gang::none;
  std::int64_t least = 0;  ///< of a gang that starts whole: so many pods, or none
  std::int32_t priority = 0;
  [[nodiscard]] std::int64_t pods() const;
};

/// Everything that is asked about, in the scheduler's order: by priority, then as listed. Kueue is
/// asked in the same order.
std::vector<AskedObject> asked_objects(const PlannedObjects& planned,
                                       const scheduler::Cluster& cluster);

}  // namespace gpu::plan
