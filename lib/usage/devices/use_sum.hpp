#pragma once

#include <cstdint>

#include "usage/devices/live_use.hpp"
#include "usage/devices/use.hpp"

namespace gpu::usage {

/// Adds up the use of parts: means by units, sums, and the oldest sample. A value that one part
/// does not have is unknown for all.
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

/// Use of `device` by `pod` alone, as far as it is reported; never the whole device's, and never
/// values from before the pod had it.
Use own_use(const DeviceUse& device, const Pod& pod);

}  // namespace gpu::usage
