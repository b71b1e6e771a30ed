#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::scheduler {

/// One label of all nodes. Its values have numbers, so that texts are compared only once.
struct LabelColumn {
  /// By index of the node; 0: it does not have the label.
  std::vector<std::uint32_t> value_of;
  /// The text of each number; that of 0 is empty and says nothing.
  std::vector<std::string_view> values;
};

/// The labels of a cluster's nodes, by key. For Cluster::shared().
class NodeLabels {
 public:
  explicit NodeLabels(const Cluster& cluster) : cluster_(cluster) {}
  static bool counts(const Pod& /*pod*/) { return false; }
  /// Stays where it is.
  [[nodiscard]] const LabelColumn& column(std::string_view key) const;

 private:
  const Cluster& cluster_;
  mutable std::map<std::string, LabelColumn, std::less<>> columns_;
};

}  // namespace gpu::scheduler
