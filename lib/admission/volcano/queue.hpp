#pragma once

#include <optional>
#include <string>
#include <vector>

#include "admission/volcano/index.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::admission {

/// What keeps a Queue of Volcano from a pod.
struct VolcanoHold {
  std::string summary;
  std::string nearest;
};

/// What a pod's Queue of Volcano, and those above it, mean for the pod.
struct VolcanoAnswer {
  std::optional<VolcanoHold> hold;  ///< nothing: the Queues let it through, as far as seen
  std::vector<std::string> not_checked;
};

/// Of a pod that waits for Volcano; nothing for all others. Source: Volcano's webhook for Jobs and
/// PodGroups, which take none for a Queue that is not open, and the enqueue and allocate actions
/// with the plugins proportion and capacity: no more is given than the Queue's capability.
std::optional<VolcanoAnswer> volcano_answer(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::admission
