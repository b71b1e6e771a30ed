#pragma once

#include <optional>
#include <string>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The driver release of a node that has MIG slices, if calls to devices hang on such nodes in this
/// release: gpu-operator#1361. By labels, the DRA driver's devices, or the image of the driver's
/// pod; nothing if the release is not known.
std::optional<std::string> hanging_driver(const scheduler::Cluster& cluster,
                                          const scheduler::NodeState& node);

}  // namespace gpu::diagnose
