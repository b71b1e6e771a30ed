#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <vector>

#include "telemetry/dialects/device_rows.hpp"

namespace gpu::telemetry {

/// What dcgm-exporter 4.8.2 and later measures of each pod on a shared card: GPU_UTIL and FB_USED
/// then have a row of the device, which names no pod, and one row for each pod, with its `pod_uid`
/// or the number of its share. Older ones copy the device's row to each pod.
class OwnUse {
 public:
  OwnUse(const std::vector<Row>& rows, std::span<const Metric> table);

  /// Whether a row is of its pod alone.
  [[nodiscard]] bool is_own(const Row& row) const;

  /// Fills SampleOwner::own of `owners` where it is consistent with the values of the device; the
  /// rest becomes a doubt of `device`. The exporter reports 0 for a pod whose processes it could
  /// not map, so zeros count only beside pods that were mapped.
  void give_to(std::vector<SampleOwner>& owners, Readings& device) const;

 private:
  const std::vector<Row>& rows_;
  std::span<const Metric> table_;
  std::set<std::size_t> device_metrics_;  ///< metrics that have a row without a pod
};

}  // namespace gpu::telemetry
