#pragma once

#include <cstdint>
#include <optional>

#include "model/snapshot/snapshot.hpp"

namespace gpu {

/// Whether a pod is not bound and names ResourceClaims: waiting_in() needs those to be kept.
bool may_wait_for_claims(const Pod& pod);

/// How many GPUs a pod's claims that are not allocated ask for, as waiting_in() counts them.
std::int64_t devices_waited_for(const Snapshot& snapshot, const Pod& pod);

/// What pods wait for that are not bound, or failed before they started and were not replaced: GPUs
/// that they request, and devices of their claims that are not allocated, where the class is named
/// as a driver of GPUs or its selectors name one that publishes some. A request for all devices
/// counts as one; a claim that is not made yet counts for nothing. Nothing when these pods, or
/// claims that they name, were not read.
std::optional<WaitingSums> waiting_in(const Snapshot& snapshot);

}  // namespace gpu
