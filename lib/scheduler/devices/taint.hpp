#pragma once

#include "model/objects/claim.hpp"

namespace gpu::scheduler {

/// Whether a taint of the device (NoSchedule, NoExecute) keeps it from a request that does not
/// tolerate it. Source: ToleratesTaint of k8s.io/dynamic-resource-allocation/resourceclaim.
bool taint_blocks(const Device& device, const DeviceRequest& request);

}  // namespace gpu::scheduler
