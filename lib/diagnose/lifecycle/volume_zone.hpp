#pragma once

#include <string>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// "the volume of claim data is in zone eu-1a, and the nodes with such GPUs are in eu-1b": of a
/// volume that is bound and in certain zones. The second half where such nodes are there, and none
/// is in these zones. Empty: no volume's zone is known.
std::string volume_zone_text(const scheduler::Cluster& cluster, const Pod& pod);

}  // namespace gpu::diagnose
