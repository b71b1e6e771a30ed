#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/snapshot/snapshot.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/filters/shared_gpus.hpp"

namespace gpu::plan {

/// Which parts of which GPUs the pod would get on a node of the cluster; none where it requests no
/// parts. Nothing where that is not known.
std::optional<scheduler::TakenParts> gpu_parts_on(const scheduler::Cluster& cluster, const Pod& pod,
                                                  std::size_t node);

/// GPUs of the node that nobody has a part of, for a pod that requests a fraction.
std::int64_t free_gpus_for_fractions(const scheduler::Cluster& cluster, const Pod& pod,
                                     std::size_t node);

/// Lets `placed`, a pod that has been given its node, have them, as its scheduler would write it
/// down: a GPU that KAI shares out for the first time gets a reservation pod in `snapshot`.
void take_gpu_parts(Snapshot& snapshot, Pod& placed, const scheduler::TakenParts& taken);

}  // namespace gpu::plan
