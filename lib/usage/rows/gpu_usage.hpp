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

/// One row of `top gpus`: a device with an identity, or units of a pool of which only the number is
/// known. Which card a unit is on is never guessed.
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
  /// Live use. In the first row of a card or instance, the use of the whole card or instance by any
  /// pod (see Use::is_of_before). In other rows, the use by the row's pods alone, which is mostly
  /// unknown.
  Use use;
  Measures measures;  ///< the rest of what telemetry reports about the device, in its first row
  bool is_of_whole_device = false;  ///< `use` is of the device, which has other holders too
  bool is_unmanaged = false;        ///< used, but not requested by any pod
};

/// Every unit of every pool, in the order of the pools: first devices with an identity, by index
/// and name; then units without one: what pods hold, what is free, and what is unavailable. The
/// units of each state add up to the numbers of the pool.
std::vector<GpuUsage> gpu_usage(const Inventory& inventory);

}  // namespace gpu::usage
