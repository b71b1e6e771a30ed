#pragma once

#include <optional>

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Which nodes would take the pod, had they the labels that it selects and that no node has. A
/// label says what a node is, and only people know whether it is true of one: never a fix. Nothing
/// for labels that programs keep up.
std::optional<Advice> missing_label(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
