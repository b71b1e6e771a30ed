#pragma once

#include <optional>

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Which nodes would fit the pod if they had the labels that it selects and that no node has. A
/// label states a fact about a node, and only people know whether it is true: so this is never a
/// fix. Nothing for labels that programs maintain.
std::optional<Advice> missing_label(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
