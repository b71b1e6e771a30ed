#include "model/dra/dra_held.hpp"

#include <algorithm>

namespace gpu {
namespace {

void add(DraHeld& held, const ResourceClaim& claim, const AllocatedDevice& device) {
  if (std::find(held.claims.begin(), held.claims.end(), &claim) == held.claims.end())
    held.claims.push_back(&claim);
  if (device.share_id.empty()) {
    held.is_whole = true;
    return;
  }
  ++held.shares;
  add_to(held.consumed, device.consumed);
}

void lower_to(std::optional<std::int64_t>& least, std::int64_t value) {
  least = least ? std::min(*least, value) : value;
}

}  // namespace

DraHoldings held_devices(const Snapshot& snapshot) {
  DraHoldings holdings;
  for (const ResourceClaim& claim : snapshot.claims) {
    if (!claim.is_allocated) continue;
    for (const AllocatedDevice& device : claim.devices)
      if (!device.admin_access && is_gpu_driver(device.id.driver))
        add(holdings[device.id], claim, device);
  }
  return holdings;
}

DraShares shares_of(const Device& device, const ResourceList& consumed) {
  DraShares shares;
  for (const auto& [name, capacity] : device.capacity) {
    const Quantity* by_default = device.default_request.find(name);
    const Quantity request = by_default == nullptr ? capacity : *by_default;
    if (request <= Quantity{}) continue;  // asks for nothing, fits always
    lower_to(shares.total, times_in(request, capacity));
    lower_to(shares.left, times_in(request, capacity - amount_of(consumed, name)));
  }
  return shares;
}

}  // namespace gpu
