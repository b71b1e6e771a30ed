#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Schedulers that seem to run: they have a Lease in kube-system, an event, a pod that they bound,
/// or a pod of their own that runs. Gathered once for all pods: Cluster::shared().
class KnownSchedulers {
 public:
  explicit KnownSchedulers(const scheduler::Cluster& cluster);
  [[nodiscard]] bool contains(std::string_view name) const;
  /// When the scheduler is known to have bound a pod last; nothing where that is not known.
  [[nodiscard]] std::optional<Time> last_binding(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, Time> bound_;
  std::unordered_set<std::string_view> names_;
  std::vector<std::string_view> own_pods_;  ///< names of running pods of schedulers
};

}  // namespace gpu::diagnose
