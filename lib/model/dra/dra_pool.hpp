#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/objects/device.hpp"

namespace gpu {

/// A driver's pool of devices as kube-scheduler sees it: the slices of its highest generation.
struct DraPool {
  std::string_view driver;
  std::string_view name;
  std::vector<const ResourceSlice*> slices;  ///< by name: the order in which devices are tried
  /// Why the scheduler takes no device of it: "1 of 2 slices are published". Empty: it does.
  std::string unusable;
};

/// The pools that `slices` make up, by driver and name. Refers to `slices`. Source: GatherPools of
/// k8s.io/dynamic-resource-allocation/structured 1.36; older versions hand out devices of
/// incomplete pools.
std::vector<DraPool> dra_pools(const std::vector<ResourceSlice>& slices);

/// What allocated devices leave of a pool's shared counters.
class DraCounters {
 public:
  explicit DraCounters(const DraPool& pool);

  /// Whether what `device` consumes is there. A pool in which more is consumed than there is gives
  /// nothing to any device that consumes counters.
  [[nodiscard]] bool suffice_for(const Device& device) const;
  /// Takes what `device` consumes, be it there or not.
  void take(const Device& device);
  /// Undoes one take() of `device`.
  void give_back(const Device& device);

 private:
  void change(const Device& device, int sign);
  std::map<std::string, ResourceList, std::less<>> left_;
  int overdrawn_ = 0;  ///< counters of which more is taken than there is
};

}  // namespace gpu
