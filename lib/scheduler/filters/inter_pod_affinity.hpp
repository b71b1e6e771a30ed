#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "model/objects/pod.hpp"
#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_labels.hpp"
#include "scheduler/cluster/node_view.hpp"
#include "scheduler/cluster/overlay.hpp"
#include "scheduler/cluster/pod_classes.hpp"
#include "scheduler/filters/affinity_term.hpp"

namespace gpu::scheduler {

/// Pods on nodes whose anti-affinity keeps other pods away, grouped by equal terms. For
/// Cluster::shared().
struct AntiAffinityPods {
  explicit AntiAffinityPods(const Cluster& cluster);
  static bool counts(const Pod& pod) { return !pod.placement.pod_anti_affinity.empty(); }
  struct Group {
    const Pod* pod = nullptr;          ///< one of them
    std::vector<std::uint32_t> nodes;  ///< of each, in their order
    /// By node, the last of them there.
    std::unordered_map<std::uint32_t, const Pod*> last_on = {};
  };
  std::vector<Group> groups;
};

/// InterPodAffinity for one pod. Refers to the overlay and the pod.
class InterPodAffinity {
 public:
  InterPodAffinity(const Overlay& overlay, const Pod& pod);
  /// Also skips if only nominated pods would keep the pod away: kube-scheduler does not check them
  /// in this case.
  [[nodiscard]] PreFilterResult before() const;
  void ask(const NodeView& node, Findings& findings) const;

 private:
  /// For each value of a topology key, the number of pods that count.
  struct Counts {
    const LabelColumn* column = nullptr;
    std::vector<std::int64_t> by_value;
    void add(std::size_t node, std::int64_t pods) {
      if (const std::uint32_t value = column->value_of[node]; value != 0) by_value[value] += pods;
    }
  };
  struct Term {
    OwnTerm term;
    Counts counts;
  };
  /// The change of counts on one node by pods that are added or removed.
  struct Delta {
    const Pod* pod;
    std::int64_t sign;
  };

  /// Whether a pod that an affinity term requires may exist although it was not read.
  [[nodiscard]] bool may_miss_wanted() const;
  [[nodiscard]] bool lacks_labels_for_own() const;
  [[nodiscard]] bool lacks_labels_for_others() const;
  [[nodiscard]] Counts counts_of(std::string_view topology_key) const;
  void count_existing();
  void count_own();
  [[nodiscard]] Counts* existing_counts(std::string_view topology_key);
  void add_own(const PodClass& pods, std::int64_t sign);
  [[nodiscard]] bool is_wanted(const Pod& pod) const;
  [[nodiscard]] std::vector<Delta> deltas(const NodeView& node) const;
  [[nodiscard]] bool lets_affinity(const NodeView& node, const std::vector<Delta>& deltas) const;
  [[nodiscard]] bool lets_anti_affinity(const NodeView& node,
                                        const std::vector<Delta>& deltas) const;
  [[nodiscard]] bool lets_existing(const NodeView& node, const std::vector<Delta>& deltas) const;

  const Overlay& overlay_;
  const Pod& pod_;
  StringMap namespace_labels_;  ///< of the pod's namespace
  std::vector<Term> affinity_;
  std::vector<Term> anti_affinity_;
  std::int64_t affinity_total_ = 0;                             ///< of all counts of affinity_
  std::vector<Counts> existing_;                                ///< by topology key
  std::unordered_map<const LabelColumn*, std::size_t> places_;  ///< in existing_
  bool skips_ = false;
  /// A term, its own or of a pod on a node, selects namespaces by labels that were not read.
  bool lacks_namespaces_ = false;
  bool may_miss_wanted_ = false;
};

}  // namespace gpu::scheduler
