#pragma once

#include <string_view>
#include <unordered_set>

#include "schedule/cluster.hpp"

namespace gpu::schedule {

/// Schedulers that left a trace: a Lease in kube-system, an event, a pod that they bound. Gathered
/// once for all pods: Cluster::shared().
class KnownSchedulers {
 public:
  explicit KnownSchedulers(const Cluster& cluster);
  [[nodiscard]] bool contains(std::string_view name) const { return names_.contains(name); }

 private:
  std::unordered_set<std::string_view> names_;
};

}  // namespace gpu::schedule
