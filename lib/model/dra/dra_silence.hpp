#pragma once

#include <set>
#include <vector>

#include "model/dra/dra_held.hpp"
#include "model/gpu/pool.hpp"
#include "model/objects/node.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu {

/// Makers whose GPUs DRA drivers alone hand out: a DeviceClass is of their driver, and no node
/// offers a GPU of theirs by a device plugin.
std::set<Vendor> makers_by_dra(const Snapshot& snapshot);

/// What labels promise on a node whose DRA driver publishes nothing now is DRA's, and not a device
/// plugin's: of `makers`, where a claim holds devices of the node, or where a label says so. The
/// kubelet deletes the slices of a driver that is gone for half a minute; claims keep what they
/// hold.
void leave_to_silent_driver(const Node& node, const std::set<Vendor>& makers,
                            const DraHoldings& holdings, Coverage claim_coverage,
                            std::vector<Pool>& pools);

}  // namespace gpu
