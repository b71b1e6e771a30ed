#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/snapshot/snapshot.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::plan {

/// The devices that a claim of a pod gets.
struct TakenDevices {
  std::string claim;
  std::vector<AllocatedDevice> devices;
};

/// What the scheduler would give the pod's claims on a node of the cluster, where that can be told:
/// whole devices of that node alone. Claims that are allocated already are not in it.
std::optional<std::vector<TakenDevices>> devices_on(const scheduler::Cluster& cluster,
                                                    const Pod& pod, std::size_t node);

/// Lets `placed`, a pod that has been given its node, have them in `snapshot`: claims that are made
/// from templates become its own.
void take_devices(Snapshot& snapshot, Pod& placed, std::vector<TakenDevices>&& taken);

}  // namespace gpu::plan
