#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/objects/gap.hpp"
#include "usage/devices/use.hpp"
#include "usage/rows/pool_devices.hpp"

namespace gpu::usage {

/// Use of the units of a pool that are not unavailable. If all units are measured and it is not
/// known which are unavailable, it is the use of all. Leaves out values from before the current
/// holders had their devices.
struct OpenUse {
  std::int64_t units = 0;             ///< that the use is of
  std::optional<double> utilization;  ///< 0 to 1; nothing: not known
};

/// Live use of one pool.
struct PoolUse {
  Use all;  ///< of all units
  OpenUse open;
};

/// Live use of the pools of one node, in their order. The power of a card counts in only one of
/// them.
std::vector<PoolUse> pool_uses(const NodePools& node, const std::vector<PoolDevices>& devices,
                               const LiveUse& live);

/// Use of what `holding` has of a pool; unknown if any part is unknown. Of a device with other
/// holders, only the use by `pod` alone; without a pod it is unknown. Values from before its pods
/// had a device are unknown, too.
struct HeldUse {
  Use use;
  bool is_shared = false;  ///< others have, or may have, units of the same devices
};
HeldUse held_use(const PoolDevices& devices, const Holding& holding, const Pod* pod);

/// What telemetry does not report for pools of several nodes: devices without metrics, MIG slices
/// without a utilization, more devices than there are, holders without a name.
class PoolGaps {
 public:
  /// `on_node` are the devices of all its pools.
  void look_at(const Pool& pool, const PoolDevices& devices, const std::vector<DeviceUse>& on_node);
  [[nodiscard]] std::vector<Gap> gaps() const;

 private:
  void look_at_slices(const Pool& pool, const PoolDevices& devices);
  void look_at_sharing(const Pool& pool, const PoolDevices& devices);

  std::vector<std::string> partial_;
  std::vector<std::string> too_many_;
  std::vector<std::string> unnamed_;
  std::vector<std::string> without_use_;  ///< MIG instances
  std::vector<std::string> sharing_;
};

}  // namespace gpu::usage
