#pragma once

#include <cstdint>

#include "model/objects/claim.hpp"

namespace gpu::scheduler {

/// Whether a device's capacity is enough for a request.
enum class CapacityFit : std::uint8_t {
  fits,
  too_little,
  not_checked,  ///< the driver's rule for rounding requests was not read
};

/// `taken`: what claims and earlier requests have allocated of the device. Source:
/// CmpRequestOverCapacity of k8s.io/dynamic-resource-allocation/structured 1.36.
CapacityFit capacity_fit(const DeviceRequest& request, const Device& device,
                         const ResourceList& taken);

/// What the request takes of a device that allows several.
ResourceList consumed_by(const DeviceRequest& request, const Device& device);

}  // namespace gpu::scheduler
