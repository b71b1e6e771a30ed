#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "schedule/cluster.hpp"
#include "schedule/word.hpp"

namespace gpu::schedule {

/// Nodes that one reason keeps a pod from, as a headline speaks of them.
struct RuledOut {
  std::vector<std::size_t> nodes;  ///< places in Cluster::nodes(), nearest first; at least one
  std::string title;               ///< "4 nodes with free GPUs"
  std::string all;                 ///< "all 4 nodes with free GPUs", "both nodes with ..."
};

/// The names and numbers behind reasons that the scheduler gives without any: who has the port,
/// what a spread rule counts, where the volume is. Refers to the cluster and the pod.
class PlacementFacts {
 public:
  PlacementFacts(const Cluster& cluster, const Pod& pod);
  PlacementFacts(PlacementFacts&&) noexcept;
  ~PlacementFacts();

  /// For the row of a node: "9400: research/other-0"; empty where there is nothing to add.
  [[nodiscard]] std::string detail(Word word, std::size_t node) const;
  /// "host port 9400 is taken on gpu-1, by research/other-0"; empty where there is nothing to name.
  [[nodiscard]] std::string headline(Word word, const RuledOut& ruled_out) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace gpu::schedule
