#pragma once

#include <optional>
#include <string>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The driver of a node that has MIG slices, where it is a release in which device calls hang on
/// such nodes: gpu-operator#1361. By labels, the DRA driver's devices, or the image of the driver's
/// pod; nothing where the release is not known.
std::optional<std::string> hanging_driver(const scheduler::Cluster& cluster,
                                          const scheduler::NodeState& node);

}  // namespace gpu::diagnose
