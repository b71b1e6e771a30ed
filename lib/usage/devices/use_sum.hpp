#pragma once

#include <cstdint>

#include "usage/devices/live_use.hpp"
#include "usage/devices/use.hpp"

namespace gpu::usage {

/// Puts the use of parts together: means by units, sums, and the oldest sample. What one part does
/// not tell is unknown of all.
class UseSum {
 public:
  /// A part without units is left out.
  void add(const Use& part, std::int64_t units);
  [[nodiscard]] Use sum() const;

 private:
  Use total_;  ///< means are sums of weighted parts
  double weight_ = 0;
};

/// Use of one device by all that run on it.
Use use_of(const DeviceUse& device);

/// Use of `device` by `pod` alone, as far as it is told; never the whole device's, nor what was
/// measured before the pod had it.
Use own_use(const DeviceUse& device, const Pod& pod);

}  // namespace gpu::usage
