#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "usage/devices/use.hpp"
#include "usage/rows/inventory.hpp"

namespace gpu::usage {

/// A device's health, as reported; most devices have no report.
enum class Health { unknown, ok, tainted, unhealthy };

/// "ok", "tainted", "unhealthy"; empty for unknown.
std::string_view name_of(Health health);

/// A pod that holds a device.
struct DeviceHolder {
  const Pod* pod = nullptr;
  std::string container;  ///< empty: not known which
};

/// One row of `top gpus`: a device with an identity, or units of a pool that are known by number
/// only. Which card it is is never guessed.
struct GpuUsage {
  const Pool* pool = nullptr;
  std::optional<std::int64_t> index;  ///< of the card on its node
  std::string uuid;
  /// A DRA device's name, a device plugin's ID, or "CARD:PARTITION"; empty: not named.
  std::string device;
  std::int64_t units = 1;
  DeviceState state = DeviceState::unknown;
  Unavailable reason = Unavailable::none;
  std::vector<DeviceHolder> pods;
  std::vector<std::string> claims;   ///< "ns/name"
  std::optional<Evidence> evidence;  ///< nothing: no holder is known
  Health health = Health::unknown;
  std::optional<std::int64_t> memory_bytes;  ///< of all units of the row
  std::string mig_instance;                  ///< GPU instance ID, if telemetry reports it
  /// Live use: where the row is the first of its card or instance that of the whole of it, by
  /// whomever it was (see Use::is_of_before); else of the row's pods alone, mostly unknown.
  Use use;
  Measures measures;  ///< the rest of what telemetry reports about the device, in its first row
  bool is_of_whole_device = false;  ///< `use` is of the device, which has other holders too
  bool is_unmanaged = false;        ///< used, but not requested by any pod
};

/// Every unit of every pool, in the order of the pools: devices with an identity first, by index
/// and name; then what pods hold by number, what is free, and what is unavailable. The units of
/// each state add up to what the pool counts.
std::vector<GpuUsage> gpu_usage(const Inventory& inventory);

}  // namespace gpu::usage
