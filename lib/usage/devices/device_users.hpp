#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "model/objects/gap.hpp"
#include "model/snapshot/snapshot.hpp"
#include "usage/devices/device_use.hpp"

namespace gpu::usage {

/// Compares the users that telemetry reports for a device with the pods that the snapshot keeps. If
/// it keeps none, nothing is checked, and devices get no users.
class DeviceUsers {
 public:
  /// Refers to `snapshot`.
  explicit DeviceUsers(const Snapshot& snapshot);

  /// Fills `device.users` from its sample's owners, and counts owners that cannot be users.
  void find(DeviceUse& device);
  /// Adds gaps for owners that are finished or gone, and for those that hold no GPU.
  void add_gaps(std::vector<Gap>& gaps) const;

 private:
  [[nodiscard]] const Pod* user_of(const DeviceUse& device, const SampleOwner& owner);

  const Snapshot& snapshot_;
  std::map<std::pair<std::string_view, std::string_view>, const Pod*> pods_;
  std::set<std::string> gone_;     ///< NAMESPACE/NAME
  std::set<std::string> without_;  ///< the same, and why it holds none
};

}  // namespace gpu::usage
