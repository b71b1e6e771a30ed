#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/dra/dra.hpp"
#include "model/gpu/pool.hpp"
#include "model/holdings/holding.hpp"
#include "usage/devices/live_use.hpp"

namespace gpu::usage {

/// What can be had of a device now.
enum class DeviceState {
  held,
  free,
  unavailable,
  unknown,  ///< not all pods that may hold it were read, or nothing says which pod does
};

/// "held", "free", "unavailable"; empty for unknown.
std::string_view name_of(DeviceState state);

/// Units of one device that one holder has.
struct DeviceHold {
  const Holding* holding = nullptr;
  std::int64_t units = 0;
  std::string id;  ///< what the holder calls the device; empty: nothing
  Evidence evidence = Evidence::request;
};

/// A device that provides units of a pool: one with live use, or one that DRA publishes.
struct PoolDevice {
  const DeviceUse* live = nullptr;
  const DraDevice* published = nullptr;
  std::vector<DeviceHold> holds;
  std::int64_t rest = 0;                     ///< units that no known holder has
  std::optional<std::int64_t> memory_bytes;  ///< of all of it
};

/// Units of a holding whose device is not known.
struct LooseUnits {
  const Holding* holding = nullptr;
  std::int64_t units = 0;
  std::vector<std::string> ids;  ///< names that say nothing of where: "MIG-4b3c..."
};

/// The devices of one pool, and who holds them.
struct PoolDevices {
  std::vector<PoolDevice> devices;
  /// How many there are, with or without live use; nothing: not known.
  std::optional<std::int64_t> expected;
  std::optional<std::int64_t> units_each;  ///< units on one device; nothing: not known
  std::int64_t told = 0;                   ///< devices with live use, the pool's or not
  bool may_lack_pods = false;              ///< a file may not hold all pods
  /// Whether the devices that telemetry reports are the pool's: there may be more, or some of
  /// another pool.
  bool is_certain = true;
  std::vector<LooseUnits> loose;
  DeviceState rest_state = DeviceState::unknown;  ///< of all units that no known holder has
  std::optional<std::int64_t> device_memory;      ///< of one device, by labels
};

/// Whether units of `devices` have no known holder, and it is not known whether they are free.
bool is_undecided(const PoolDevices& devices);

/// Whether a device plugin's pool of cards advertises fewer devices than telemetry reports.
bool lacks_devices(const Pool& pool, const PoolDevices& devices);

/// Whether telemetry shows that something uses it: it is not idle, or holds memory.
bool is_used(const PoolDevice& device);

/// Whether `device` is in use, and no pod requested it. If a file may lack pods: no pod that was
/// read, and no pod that its exporter names.
bool is_unrequested(const PoolDevices& devices, const PoolDevice& device);

/// The pools of one node with what is known of them; parallel vectors.
struct NodePools {
  const Node* node = nullptr;
  std::vector<const Pool*> pools;
  std::vector<std::vector<const Holding*>> holdings;
};

/// Assigns the devices of a node to its pools: DRA's by name, UUID or index; others by what they
/// are (a card, a MIG instance of a profile), and by product if that decides.
std::vector<PoolDevices> joined(const NodePools& node, const LiveUse& live,
                                const DraInventory& dra);

/// Finds out who holds which device: by the names in claims, the kubelet's answers and annotations;
/// by what exporters report, if such a pod holds that many; and because no one else is left.
void attribute(PoolDevices& devices, const Pool& pool, const std::vector<const Holding*>& holdings);

/// Whether the units of a pool are amounts of a card's memory or capacity: one device provides
/// several.
bool has_amounts(const Pool& pool);

/// Whether `device` is a MIG instance's own UUID, which telemetry never reports.
bool is_nameless_mig(std::string_view device, const Pool& pool);

/// Units of `holding` on each of its devices; the first ones get the remainder. Empty if the names
/// do not match the number of units: then it is not known which device is whose.
std::vector<std::int64_t> units_by_device(const Pool& pool, const Holding& holding);

}  // namespace gpu::usage
