#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "scheduler/cluster/cluster.hpp"
#include "scheduler/cluster/filter.hpp"

namespace gpu::scheduler {

/// Pods of the snapshot that a change ends.
using EndedPods = std::vector<const Pod*>;

/// A node as filters see it during a trial: pods may be removed (preemption, a fix that ends them)
/// or added (nominated ones).
struct NodeView {
  const Cluster& cluster;
  std::size_t index;  ///< in cluster.nodes()
  const NodeState& state;
  std::vector<const Pod*> gone = {};
  std::vector<const BoundPod*> extra = {};

  [[nodiscard]] bool has_gone(const Pod* pod) const {
    return std::find(gone.begin(), gone.end(), pod) != gone.end();
  }
  /// Calls `visit` with each BoundPod that counts here now.
  template <class Visit>
  void each_pod(Visit visit) const {
    for (const BoundPod& pod : state.pods)
      if (gone.empty() || !has_gone(pod.pod)) visit(pod);
    for (const BoundPod* pod : extra) visit(*pod);
  }
};

/// The result of a filter's PreFilter for a pod, before any node is checked.
struct PreFilterResult {
  /// The pod is refused on every node; the scheduler's text.
  struct Refusal {
    Rejection rejection = Rejection::unresolvable;
    std::string message;
    /// Its PreEnqueue refuses the pod: the pod gets no scheduling cycle, and no message is written.
    bool is_before_queue = false;
  };
  std::optional<Refusal> refusal = {};
  /// Only these nodes (indexes of cluster.nodes()) are checked.
  std::optional<std::unordered_set<std::size_t>> only = {};
  /// Names in that set that no node has. Two filters can have such a name in common.
  std::vector<std::string> only_unknown = {};
  bool skips = false;  ///< its Filter has nothing to say of this pod
  std::vector<std::string> not_checked = {};
  /// Kinds that the answer needs and that were not read, by plural: "csinodes". A node that nothing
  /// refuses is then undecided.
  std::vector<std::string> unread = {};

  /// Records that `what` is not known, because the objects of `plural` were not read.
  void lacks(std::string_view plural, std::string what) {
    unread.emplace_back(plural);
    not_checked.push_back(std::move(what));
  }
};

}  // namespace gpu::scheduler
