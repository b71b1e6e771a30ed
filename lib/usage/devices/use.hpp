#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "model/gpu/sample.hpp"

namespace gpu::usage {

/// Below this use a device that is held is idle.
inline constexpr double kIdleBelow = 0.05;
/// Use that is older than this is marked as old.
inline constexpr std::chrono::seconds kFreshFor{60};

/// Live use of several devices together: a node's, a pod's, a namespace's. A sum with an unknown
/// part is unknown; the parts are counted.
struct Use {
  std::optional<double> utilization;  ///< 0 to 1: mean over the devices
  std::optional<double> sm_active, tensor_active, dram_active;
  std::optional<std::int64_t> memory_used_bytes;
  std::optional<std::int64_t> memory_total_bytes;
  std::optional<double> power_watts;  ///< of whole cards, each once; never of parts of a card
  std::optional<double> average_utilization;  ///< over the window of --since
  std::optional<double> highest_utilization;
  std::optional<std::chrono::seconds>
      idle_for;  ///< of the device that was idle for the shortest time
  std::optional<std::chrono::seconds> sample_age;  ///< of the oldest sample
  std::optional<UtilizationKind> kind;             ///< where all are of one
  std::optional<MetricSource> source;              ///< where all are of one
  /// The values may have been measured before the current holders had the devices, and then they
  /// are not theirs. The use of devices keeps them; the use of holders has none.
  bool is_of_before = false;
  std::int64_t devices = 0;   ///< that the numbers are of
  std::int64_t measured = 0;  ///< of these, with a utilization
};

/// Whether held devices are idle: below 5 % now. Nothing if the use is not known, or was measured
/// before the current holders had them.
std::optional<bool> is_idle(const Use& use);

}  // namespace gpu::usage
