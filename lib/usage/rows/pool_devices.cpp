#include "usage/rows/pool_devices.hpp"

#include <algorithm>

#include "usage/devices/use.hpp"

namespace gpu::usage {

std::string_view name_of(DeviceState state) {
  switch (state) {
    case DeviceState::held:
      return "held";
    case DeviceState::free:
      return "free";
    case DeviceState::unavailable:
      return "unavailable";
    case DeviceState::unknown:
      return "";
  }
  return "";
}

bool has_amounts(const Pool& pool) {
  return pool.sharing.strategy == SharingStrategy::gpushare ||
         pool.sharing.strategy == SharingStrategy::capacity;
}

bool is_nameless_mig(std::string_view device, const Pool& pool) {
  return pool.kind.kind == DeviceKind::mig_slice && device.starts_with("MIG-") &&
         !device.starts_with("MIG-GPU-");
}

bool is_undecided(const PoolDevices& devices) {
  return devices.rest_state == DeviceState::unknown &&
         std::any_of(devices.devices.begin(), devices.devices.end(),
                     [](const PoolDevice& one) { return one.rest > 0; });
}

bool lacks_devices(const Pool& pool, const PoolDevices& devices) {
  return pool.source == PoolSource::device_plugin && pool.kind.kind == DeviceKind::card &&
         !pool.is_second_view && pool.capacity > 0 && devices.expected &&
         devices.told > *devices.expected;
}

bool is_used(const PoolDevice& device) {
  constexpr std::int64_t kMuchMemory = std::int64_t{1} << 30;
  if (device.live == nullptr) return false;
  const Measures& told = device.live->sample.measures;
  return told.utilization >= kIdleBelow || told.memory_used_bytes > kMuchMemory;
}

bool is_unrequested(const PoolDevices& devices, const PoolDevice& device) {
  if (!device.holds.empty() || !is_used(device)) return false;
  if (devices.may_lack_pods && devices.rest_state == DeviceState::unknown)
    return devices.loose.empty() && device.live->sample.owners.empty();
  if (device.published == nullptr)
    return device.rest > 0 && devices.rest_state == DeviceState::free;
  return device.published->is_free && device.published->claims.empty();
}

std::vector<std::int64_t> units_by_device(const Pool& pool, const Holding& holding) {
  const auto devices = static_cast<std::int64_t>(holding.devices.size());
  if (devices == 0 || devices > holding.units) return {};
  std::vector<std::int64_t> units(holding.devices.size(), 1);
  if (!has_amounts(pool)) return units;
  std::int64_t rest = holding.units % devices;
  for (std::int64_t& one : units) one = holding.units / devices + (rest-- > 0 ? 1 : 0);
  return units;
}

}  // namespace gpu::usage
