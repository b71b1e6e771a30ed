#pragma once

#include <string>
#include <vector>

#include "scheduler/devices/dynamic_resources.hpp"
#include "scheduler/devices/supply.hpp"

namespace gpu::scheduler {

/// What a node (a place in cluster.nodes()) lacks for `claims`, by request and alternative; empty
/// where devices for all of them are found.
std::vector<RequestShortage> request_shortages(const Cluster& cluster, const DeviceSupply& supply,
                                               std::size_t node,
                                               const std::vector<const ResourceClaim*>& claims);

/// "2 match, 1 in use, 1 tainted", or that the request's own selectors rule out all of the class.
std::string text_of(const RequestShortage& shortage);

}  // namespace gpu::scheduler
