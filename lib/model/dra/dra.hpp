#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/dra/dra_device.hpp"
#include "model/dra/dra_held.hpp"
#include "model/gpu/pool.hpp"
#include "model/snapshot/snapshot.hpp"

namespace gpu {

/// What ResourceSlices publish and ResourceClaims hold, by the rules of kube-scheduler's
/// DynamicResources plugin: the highest generation of each pool; incomplete pools are skipped;
/// partitionable devices live off shared counters; claims with admin access take nothing.
class DraInventory {
 public:
  /// Refers to `snapshot`.
  explicit DraInventory(const Snapshot& snapshot);

  /// The devices of a node, in the order in which the scheduler tries them.
  [[nodiscard]] const std::vector<DraDevice>& devices_on(std::string_view node) const;
  /// Adds the DRA pools of `node` to `pools`, those of its device plugins, and settles what both
  /// say of the same cards: a pool that labels promise and DRA publishes is DRA's, and so is one
  /// whose driver publishes nothing now.
  void join(const Node& node, std::vector<Pool>& pools) const;
  /// Incomplete pools; devices that belong to no single node; cards that are handed out twice.
  [[nodiscard]] std::vector<Gap> gaps() const;

 private:
  const Snapshot& snapshot_;
  std::map<std::string, std::vector<DraDevice>, std::less<>> devices_;  ///< by node
  std::map<std::string, std::vector<Pool>, std::less<>> pools_;         ///< by node
  std::vector<Gap> gaps_;
  DraHoldings holdings_;
  std::set<Vendor> makers_;  ///< whose GPUs DRA drivers alone hand out
};

}  // namespace gpu
