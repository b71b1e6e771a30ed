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

/// A card is in one node: takes from `samples` what is told of NVIDIA cards on other nodes than
/// theirs. Theirs is the only one where the kubelet, a DRA driver or a sharing scheduler names the
/// card, else the only one where an exporter in a usual namespace does; else nobody knows, and
/// nothing is left. Other makers' UUIDs may be alike on several nodes. Returns a gap that names
/// what was taken, or nothing.
std::vector<Gap> keep_on_one_node(SamplesByNode& samples, const Snapshot& snapshot,
                                  const std::optional<Time>& now);

}  // namespace gpu::usage
