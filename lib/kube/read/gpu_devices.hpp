#pragma once

#include <set>
#include <string>

#include "kube/read/needs.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu::kube {

/// Keeps a ResourceSlice if its driver is for GPUs. With DeviceObjects::all, keeps other slices
/// separately.
void add_slice(Snapshot& snapshot, ResourceSlice&& slice, DeviceObjects wanted);

/// Whether a claim holds a device of such a driver, or none yet.
bool concerns_gpus(const ResourceClaim& claim);

/// Keeps a claim that holds a device of such a driver, or none yet; with DeviceObjects::all, other
/// claims, too.
void add_claim(Snapshot& snapshot, ResourceClaim&& claim, DeviceObjects wanted);

/// Names of the nodes that GPU devices of DRA belong to.
std::set<std::string, std::less<>> nodes_of_slices(const Snapshot& snapshot);

/// Whether labels call a node a GPU node that advertises no GPU: DRA may manage them.
bool lacks_devices_of_labelled_nodes(const Snapshot& snapshot);

}  // namespace gpu::kube
