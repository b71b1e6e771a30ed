#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "diagnose/nodes/blocker_kind.hpp"
#include "diagnose/nodes/ruled_out.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The names and numbers behind reasons that the scheduler gives without any: who has the port,
/// what a spread rule counts, where the volume is. Refers to the cluster and the pod.
class BlockerDetails {
 public:
  BlockerDetails(const scheduler::Cluster& cluster, const Pod& pod);
  BlockerDetails(BlockerDetails&&) noexcept;
  ~BlockerDetails();

  /// For the row of a node: "9400: research/other-0"; empty where there is nothing to add.
  [[nodiscard]] std::string detail(BlockerKind kind, std::size_t node) const;
  /// "host port 9400 is taken on gpu-1, by research/other-0"; empty where there is nothing to name.
  [[nodiscard]] std::string headline(BlockerKind kind, const RuledOut& ruled_out) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace gpu::diagnose
