#include "scheduler/devices/capacity.hpp"

#include <algorithm>

namespace gpu::scheduler {
namespace {

Quantity wanted(const DeviceRequest& request, const Device& device, std::string_view name,
                Quantity capacity) {
  if (const Quantity* asked = request.capacity.find(name)) return *asked;
  const Quantity* by_default = device.default_request.find(name);
  return by_default == nullptr ? capacity : *by_default;
}

}  // namespace

CapacityFit capacity_fit(const DeviceRequest& request, const Device& device,
                         const ResourceList& taken) {
  for (const auto& [name, amount] : request.capacity) {
    if (!device.capacity.contains(name)) {
      // The driver's own names are kept without its domain, and a request may write it.
      return name.find('/') == std::string::npos ? CapacityFit::too_little
                                                 : CapacityFit::not_checked;
    }
    // A default comes with a range or a list of values, to which requests are rounded up.
    const Quantity* by_default = device.default_request.find(name);
    if (by_default != nullptr && *by_default != amount) return CapacityFit::not_checked;
  }
  const bool fits =
      std::all_of(device.capacity.begin(), device.capacity.end(), [&](const auto& capacity) {
        const Quantity more = wanted(request, device, capacity.first, capacity.second);
        return amount_of(taken, capacity.first) + more <= capacity.second;
      });
  return fits ? CapacityFit::fits : CapacityFit::too_little;
}

ResourceList consumed_by(const DeviceRequest& request, const Device& device) {
  ResourceList consumed;
  for (const auto& [name, capacity] : device.capacity)
    consumed.set(name, wanted(request, device, name, capacity));
  return consumed;
}

}  // namespace gpu::scheduler
