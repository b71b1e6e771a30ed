#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/objects/gap.hpp"
#include "model/snapshot/snapshot.hpp"
#include "usage/rows/pool_devices.hpp"

namespace gpu::usage {

/// What live use shows beside its numbers, for every view: devices in use that no pod requested,
/// pods that are too young to have been measured, and values that are never reported.
class UseFindings {
 public:
  /// `sums` are of the pool's node; null if none of its pods was read.
  void look_at(const Pool& pool, const PoolDevices& devices, const NodeSums* sums);
  /// Gaps for use that no pod requested, and for pods whose use is not known yet.
  [[nodiscard]] std::vector<Gap> gaps() const;
  /// Values that are never reported: for answers that show them.
  [[nodiscard]] std::vector<Gap> gaps_of_silence() const;

 private:
  /// Devices of one node, and what the gap reports about them.
  struct Finding {
    std::int64_t devices = 0;
    std::vector<std::string> names;  ///< of these
    std::vector<std::string> why;    ///< each once
    bool is_past = false;            ///< it may be over
    bool is_as_read = false;         ///< pods may be missing from what was read
  };
  using ByNode = std::map<std::string, Finding, std::less<>>;

  void look_at_use(const Pool& pool, const PoolDevices& devices, const PoolDevice& device,
                   const NodeSums* sums);
  void look_at_holders(const Pool& pool, const PoolDevice& device);
  void look_for_silence(const Pool& pool, const PoolDevice& device);

  ByNode unrequested_;
  ByNode young_;  ///< names are those of pods
  ByNode without_memory_;
  ByNode without_utilization_;
};

}  // namespace gpu::usage
