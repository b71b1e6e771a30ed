#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/objects/pod.hpp"
#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_view.hpp"
#include "scheduler/cluster/overlay.hpp"
#include "scheduler/filters/node_affinity.hpp"
#include "scheduler/filters/taint_toleration.hpp"

namespace gpu::scheduler {

/// How a node breaks a spread rule, by the scheduler's counts. Refers to the cluster and the pod.
struct SpreadBreach {
  const TopologySpread* rule = nullptr;
  std::string_view here;                   ///< the node's domain; empty: it lacks the label
  std::int64_t pods = 0;                   ///< that count in `here`
  std::vector<std::string_view> emptiest;  ///< the domains that have `fewest`
  std::int64_t fewest = 0;
  std::int64_t domains = 0;  ///< that count at all
};

/// PodTopologySpread for one pod: its constraints with whenUnsatisfiable DoNotSchedule. Keeps
/// references to the constructor's arguments.
class PodTopologySpread {
 public:
  PodTopologySpread(const Overlay& overlay, const Pod& pod, const NodeAffinity& affinity,
                    const TaintToleration& taints);
  [[nodiscard]] PreFilterResult before() const { return {.skips = constraints_.empty()}; }
  void ask(const NodeView& node, Findings& findings) const;
  /// Of the first rule that the node breaks.
  [[nodiscard]] std::optional<SpreadBreach> breach(const NodeView& node) const;

 private:
  struct Constraint {
    const TopologySpread* rule = nullptr;
    std::optional<ObjectSelector> selector;  ///< with the pod's values of matchLabelKeys
    const LabelColumn* column = nullptr;
    std::vector<char> is_counted;      ///< by place of the node: its pods count
    std::vector<char> is_domain;       ///< by value of the topology key
    std::vector<std::int64_t> counts;  ///< by value of the topology key
    std::int64_t domains = 0;
    std::uint32_t least_value = 0;  ///< a value that has the least
    std::int64_t least = 0;
    std::int64_t second_least = 0;  ///< of all values but least_value
    bool matches_self = false;
  };
  [[nodiscard]] Constraint prepared(const TopologySpread& rule) const;
  [[nodiscard]] bool has_all_keys(std::size_t node) const;
  void count(Constraint& constraint) const;
  void count_pods(Constraint& constraint) const;
  [[nodiscard]] std::int64_t change_at(const Constraint& constraint, const NodeView& node) const;
  [[nodiscard]] const Constraint* broken(const NodeView& node) const;
  [[nodiscard]] bool is_too_skewed(const Constraint& constraint, const NodeView& node) const;

  const Overlay& overlay_;
  const Pod& pod_;
  const NodeAffinity& affinity_;
  const TaintToleration& taints_;
  std::vector<Constraint> constraints_;
};

}  // namespace gpu::scheduler
