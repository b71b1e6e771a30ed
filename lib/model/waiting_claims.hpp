#pragma once

#include "model/snapshot.hpp"

namespace gpu {

/// Whether a claim of this class asks for GPUs: its name is that of a GPU driver, or its selectors
/// name a driver that publishes GPUs.
bool is_gpu_class(const Snapshot& snapshot, std::string_view device_class);

/// What kept pods that are not bound wait for through ResourceClaims, beside their own requests:
/// the devices of claims of a GPU class that are not allocated. Pods that wait for GPUs by request,
/// too, are in snapshot.waiting already and are not counted as pods again. A request for all
/// devices counts as one; a claim that is not made yet counts for nothing.
WaitingSums waiting_for_claims(const Snapshot& snapshot);

}  // namespace gpu
