#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/objects/pod.hpp"
#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_labels.hpp"
#include "scheduler/cluster/node_view.hpp"

namespace gpu::scheduler {

/// NodeAffinity for one pod: nodeSelector and required node affinity. Refers to the cluster and the
/// pod.
class NodeAffinity {
 public:
  NodeAffinity(const Cluster& cluster, const Pod& pod);

  /// Limits the nodes to those that terms name by metadata.name, if every term names some.
  [[nodiscard]] PreFilterResult before() const;
  void ask(const NodeView& node, Findings& findings) const;
  /// Whether selector and affinity hold for a node.
  [[nodiscard]] bool matches(std::size_t node) const;

 private:
  /// A requirement on a label, with its result for each value of the label that was checked so far.
  class Test {
   public:
    Test(const Cluster& cluster, Requirement requirement);
    [[nodiscard]] bool holds(std::size_t node) const;

   private:
    enum class Known : std::uint8_t { no, fails, holds };
    Requirement requirement_;
    const LabelColumn& column_;
    mutable std::vector<Known> known_;
  };
  struct Term {
    std::vector<Test> tests;
    NodeSelectorTerm fields;  ///< only fields
  };
  [[nodiscard]] bool matches(const Term& term, std::size_t node) const;

  const Cluster& cluster_;
  const Pod& pod_;
  std::vector<Test> selector_;
  std::vector<Term> terms_;
};

}  // namespace gpu::scheduler
