#pragma once

#include <vector>

#include "model/gpu/pool.hpp"
#include "model/objects/node.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu {

/// Why no pod can start on `node` now, whatever it asks for.
Unavailable node_unavailable(const Node& node, const NodeSums* sums);

/// The GPU pools of a node, by resource name: what it advertises, what pods hold there, and for a
/// node that labels call a GPU node but that advertises nothing, one pool that says so.
std::vector<Pool> pools_of(const Node& node, const NodeSums* sums, Coverage pod_coverage);

/// Whether the node has pools: what decides which nodes' pods are read.
bool is_gpu_node(const Node& node);

}  // namespace gpu
