#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "model/objects/gap.hpp"
#include "model/snapshot/snapshot.hpp"
#include "usage/devices/device_use.hpp"

namespace gpu::usage {

/// What telemetry reports about the devices of each node, compared with the pods of the snapshot.
class LiveUse {
 public:
  LiveUse() = default;
  LiveUse(const Snapshot& snapshot, const std::optional<Time>& now);

  /// By card index, then GPU instance.
  [[nodiscard]] const std::vector<DeviceUse>& devices_on(std::string_view node) const;
  /// Use of a pod that is reported without its devices (custom metrics); null if there is none.
  [[nodiscard]] const Sample* of_pod(std::string_view ns, std::string_view name) const;
  /// Values that were not credible, and users that are not known.
  [[nodiscard]] const std::vector<Gap>& gaps() const { return gaps_; }
  /// For gaps that appear only when devices are joined to pools.
  void add_gaps(const std::vector<Gap>& gaps) {
    gaps_.insert(gaps_.end(), gaps.begin(), gaps.end());
  }
  /// Removes the values of memory in use from `those`, which are devices on `node`, because they
  /// are wrong. Returns their names and the values, for people.
  std::vector<std::string> forget_memory(std::string_view node,
                                         const std::set<const DeviceUse*>& those);
  [[nodiscard]] bool empty() const { return devices_.empty() && pods_.empty(); }

 private:
  std::map<std::string, std::vector<DeviceUse>, std::less<>> devices_;
  std::map<std::string, Sample, std::less<>> pods_;  ///< by NAMESPACE/NAME
  std::vector<Gap> gaps_;
};

}  // namespace gpu::usage
