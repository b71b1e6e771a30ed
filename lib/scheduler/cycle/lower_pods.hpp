#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::scheduler {

/// For each node, the sums over its pods below some priority. For Cluster::shared().
class LowerPods {
 public:
  explicit LowerPods(const Cluster& cluster);

  /// What pods below one priority are and have, node by node.
  class Sums {
   public:
    [[nodiscard]] std::int64_t pods(std::size_t node) const { return pods_[node]; }
    /// By ResourceId.
    [[nodiscard]] std::span<const std::int64_t> requests(std::size_t node) const {
      return std::span(requests_).subspan(node * resources_, resources_);
    }

   private:
    friend class LowerPods;
    Sums(const Cluster& cluster, std::int32_t priority);
    std::size_t resources_;
    std::vector<std::int64_t> pods_;
    std::vector<std::int64_t> requests_;
  };
  /// Stays until the cluster goes.
  [[nodiscard]] const Sums& below(std::int32_t priority) const;

 private:
  const Cluster& cluster_;
  std::vector<std::int32_t> priorities_;      ///< of pods on nodes, sorted, each once
  mutable std::map<std::size_t, Sums> sums_;  ///< by how many of priorities_ are lower
};

}  // namespace gpu::scheduler
