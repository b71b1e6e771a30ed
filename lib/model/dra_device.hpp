#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "model/device.hpp"
#include "model/gpu_resource.hpp"

namespace gpu {

/// What a driver's attributes say that a device is.
struct DraDeviceFacts {
  GpuResource kind;
  std::string resource;  ///< "gpu.nvidia.com", "gpu.nvidia.com/mig-1g.10gb", "gpu.amd.com/vfio"
  std::string product;
  std::string model;            ///< "H100-80G", "H100-1g.10gb"
  bool is_passthrough = false;  ///< the card for a virtual machine, beside the card itself
};

/// Reads the attributes of the drivers of NVIDIA, AMD, Intel and Gaudi, and of kubernetes-sigs'
/// example. A device without a type is a card.
DraDeviceFacts facts_of(std::string_view driver, const Device& device);

/// Finds out which devices of one node are, or are parts of, the same card.
class DraCards {
 public:
  /// Call for whole cards first, then for the others.
  std::string card_of(const DeviceId& id, const Device& device, const DraDeviceFacts& facts);

 private:
  /// By what names it: UUID, PCI address, counter set.
  std::map<std::string, std::string, std::less<>> cards_;
};

}  // namespace gpu
