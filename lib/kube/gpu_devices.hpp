#pragma once

#include <set>
#include <string>

#include "model/snapshot.hpp"

namespace gpu::kube {

/// Keeps a slice of a driver of GPUs; others say nothing of them.
void add_gpu_slice(Snapshot& snapshot, ResourceSlice&& slice);

/// Whether a claim holds a device of such a driver, or none yet.
bool concerns_gpus(const ResourceClaim& claim);

/// Keeps a claim that holds a device of such a driver, or none yet.
void add_gpu_claim(Snapshot& snapshot, ResourceClaim&& claim);

/// Names of the nodes that GPU devices of DRA belong to.
std::set<std::string, std::less<>> nodes_of_slices(const Snapshot& snapshot);

/// Whether labels call a node a GPU node that advertises no GPU: DRA may manage them.
bool lacks_devices_of_labelled_nodes(const Snapshot& snapshot);

}  // namespace gpu::kube
