#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "model/gpu/gpu_resource.hpp"
#include "model/gpu/pool.hpp"
#include "model/objects/claim.hpp"
#include "model/objects/device.hpp"

namespace gpu {

/// One device that a DRA driver publishes for one node, and what became of it. Points into the
/// Snapshot.
struct DraDevice {
  DeviceId id;
  const Device* device = nullptr;
  std::string node;
  /// That of its Pool: "gpu.nvidia.com/mig-1g.10gb". Empty for a device that counts in none now: a
  /// slice that nobody has cut, another face of a card.
  std::string resource;
  GpuResource kind;                          ///< card, MIG slice, partition
  std::string model;                         ///< "H100-80G", "H100-1g.10gb"
  std::string uuid;                          ///< empty when not published
  std::string card;                          ///< UUID or name of the card it is or is a part of
  std::vector<const ResourceClaim*> claims;  ///< that hold it or a part of it
  bool is_free = false;                      ///< counted as free in its pool
  Unavailable reason = Unavailable::none;
};

/// What a driver's attributes say that a device is.
struct DraDeviceFacts {
  GpuResource kind;
  std::string resource;  ///< "gpu.nvidia.com", "gpu.nvidia.com/mig-1g.10gb", "gpu.amd.com/vfio"
  std::string product;
  std::string model;            ///< "H100-80G", "H100-1g.10gb"
  bool is_passthrough = false;  ///< the card for a virtual machine, beside the card itself
};

/// Models by product name and memory: a cluster has a few, and finding one takes a while.
class DraModels {
 public:
  /// "H100-80G" for "NVIDIA H100 80GB HBM3".
  const std::string& model_of(std::string_view product, std::optional<std::int64_t> memory_mib);

 private:
  std::map<std::pair<std::string, std::optional<std::int64_t>>, std::string> models_;
};

/// Reads the attributes of the drivers of NVIDIA, AMD, Intel and Gaudi, and of kubernetes-sigs'
/// example. A device without a type is a card.
DraDeviceFacts facts_of(std::string_view driver, const Device& device, DraModels& models);

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
