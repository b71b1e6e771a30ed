#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "model/objects/gap.hpp"
#include "model/snapshot/snapshot.hpp"
#include "usage/devices/device_merge.hpp"

namespace gpu::usage {

/// Samples of devices by their node.
using SamplesByNode = std::map<std::string, NodeSamples, std::less<>>;

/// Keeps each NVIDIA card on one node: removes from `samples` its samples of all other nodes. Its
/// node is the only one where the kubelet, a DRA driver or a sharing scheduler names the card,
/// otherwise the only one where an exporter in a well-known namespace does. If neither decides, all
/// its samples are removed. UUIDs of other makers may be equal on several nodes. Returns a gap that
/// names what was removed, or nothing.
std::vector<Gap> keep_on_one_node(SamplesByNode& samples, const Snapshot& snapshot,
                                  const std::optional<Time>& now);

}  // namespace gpu::usage
