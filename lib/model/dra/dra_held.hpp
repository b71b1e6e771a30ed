#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "model/snapshot/snapshot.hpp"

namespace gpu {

/// What claims hold of one device.
struct DraHeld {
  std::vector<const ResourceClaim*> claims;  ///< each once
  bool is_whole = false;                     ///< by a claim that shares it with none
  std::int64_t shares = 0;                   ///< parts of a device that allows several
  ResourceList consumed;                     ///< by these parts
};

using DraHoldings = std::map<DeviceId, DraHeld>;

/// What the claims of `snapshot` hold, whether or not a pod uses it. Admin access holds nothing.
/// Refers to `snapshot`.
DraHoldings held_devices(const Snapshot& snapshot);

/// Default requests of a device that several claims may share.
struct DraShares {
  std::optional<std::int64_t> total;  ///< nothing: no capacity of the device sets a limit
  std::optional<std::int64_t> left;   ///< how many more fit
};

/// Shares of `device` after `consumed`: for each capacity as many as its default request goes into
/// it, one where it has none; the least of them counts. Source: CmpRequestOverCapacity of
/// k8s.io/dynamic-resource-allocation/structured 1.36.
DraShares shares_of(const Device& device, const ResourceList& consumed);

}  // namespace gpu
