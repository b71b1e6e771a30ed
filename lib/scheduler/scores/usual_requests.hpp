#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/objects/pod.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::scheduler {

/// CPU in thousandths and memory in bytes, as NodeResourcesFit scores them: a container that
/// requests none counts with 100m and 200Mi (GetNonzeroRequests).
struct UsualAmounts {
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
};

/// What a pod counts with.
UsualAmounts usual_amounts(const Cluster& cluster, const Pod& pod);

/// The sum of the requests of each node's pods, computed when the node is first read. Refers to the
/// cluster.
class UsualRequests {
 public:
  explicit UsualRequests(const Cluster& cluster)
      : cluster_(cluster), nodes_(cluster.nodes().size()) {}
  [[nodiscard]] const UsualAmounts& of(std::size_t node);
  /// A pod with these amounts was bound to the node.
  void add(std::size_t node, const UsualAmounts& amounts);
  /// A pod went from the node.
  void forget(std::size_t node) { nodes_[node].reset(); }

 private:
  const Cluster& cluster_;
  std::vector<std::optional<UsualAmounts>> nodes_;
};

}  // namespace gpu::scheduler
