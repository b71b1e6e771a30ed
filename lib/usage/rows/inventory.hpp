#pragma once

#include <optional>
#include <vector>

#include "model/dra/dra.hpp"
#include "model/gpu/pool.hpp"
#include "model/holdings/holding.hpp"
#include "model/snapshot/snapshot.hpp"
#include "usage/devices/live_use.hpp"
#include "usage/devices/use.hpp"
#include "usage/rows/pool_devices.hpp"
#include "usage/rows/pool_use.hpp"

namespace gpu::usage {

/// The data that every view counts from, computed once: pools by node and resource, then pools of
/// nodes that were not read, and the holders of each pool. Refers to the snapshot.
struct Inventory {
  /// Holdings are known only as far as the snapshot keeps the pods that hold GPUs. `now`: the time
  /// that ages of samples are computed from; nothing: not known.
  explicit Inventory(const Snapshot& of, const std::optional<Time>& now = {});
  /// Its parts refer to each other.
  Inventory(const Inventory&) = delete;
  Inventory(Inventory&&) = default;

  const Snapshot& snapshot;
  DraInventory dra;
  std::vector<Pool> pools;
  std::vector<Holding> holdings;
  LiveUse live;
  std::vector<PoolDevices> devices;  ///< of each of `pools`, in their order
  std::vector<Use> uses;             ///< live use of each of `pools`, in their order
  std::vector<OpenUse> open_uses;    ///< of what of each is not unavailable
  std::vector<Gap> silent_values;    ///< values of devices that are never reported

 private:
  void join_devices();
};

}  // namespace gpu::usage
