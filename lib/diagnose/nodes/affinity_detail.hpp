#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "diagnose/nodes/ruled_out.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/cluster/node_labels.hpp"
#include "scheduler/filters/affinity_term.hpp"

namespace gpu::diagnose {

/// Which pods the pod's affinity requires, which pods the anti-affinity of either side excludes,
/// and where they are. Refers to the cluster and the pod.
class AffinityDetails {
 public:
  AffinityDetails(const scheduler::Cluster& cluster, const Pod& pod);
  /// For the row of a node: "no pod with app=cache".
  [[nodiscard]] std::string affinity_detail(std::size_t node) const;
  /// "ml/train-1 on gpu-1".
  [[nodiscard]] std::string anti_affinity_detail(std::size_t node) const;
  [[nodiscard]] std::string affinity_headline(const RuledOut& ruled_out) const;
  /// If all pods that the pod must run near are on nodes without the GPUs that it requests: to move
  /// one of them, or to make the rule preferred.
  [[nodiscard]] std::optional<Advice> affinity_advice() const;
  [[nodiscard]] std::string anti_affinity_headline(const RuledOut& ruled_out) const;

 private:
  /// A pod on a node; null: none was found.
  struct Found {
    const Pod* pod = nullptr;
    std::size_t node = 0;
  };
  /// One term, with the first pod that matches it in each domain.
  struct Side {
    const PodAffinityTerm* term = nullptr;
    const scheduler::LabelColumn* column = nullptr;
    std::vector<Found> by_value;
  };

  [[nodiscard]] Side side_of(const PodAffinityTerm& term) const;
  void find_wanted();
  void find_shunned();
  void find_shunning();
  [[nodiscard]] const Side* unmet(std::size_t node) const;
  /// The pod that rules this pod out on a node, and the term that says so.
  struct Against {
    const Side* side = nullptr;
    Found found;
    bool is_own = false;  ///< the pod's own term; else that of `found`
  };
  [[nodiscard]] Against against(std::size_t node) const;
  [[nodiscard]] std::string name_of(const Found& found) const;
  [[nodiscard]] std::string there_text(const Against& against, std::size_t node) const;

  const scheduler::Cluster& cluster_;
  const Pod& pod_;
  std::vector<Side> wanted_;       ///< of the pod's affinity
  std::vector<Found> all_wanted_;  ///< pods that all of these are about
  std::vector<Side> shunned_;      ///< of its anti-affinity
  std::vector<Side> shunning_;     ///< of the anti-affinity of pods on nodes
};

}  // namespace gpu::diagnose
