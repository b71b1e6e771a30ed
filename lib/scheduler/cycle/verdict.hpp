#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/cluster/filter.hpp"

namespace gpu::scheduler {

/// The results of all filters for one node. The scheduler stops at the first filter that refuses.
/// Here all filters run, so that what remains after a fix is known.
struct NodeVerdict {
  std::uint32_t node = 0;      ///< place in Cluster::nodes()
  std::uint32_t blockers = 0;  ///< place in Verdict::blocker_lists
  /// A PreFilter excluded the node (metadata.name, a local volume): the scheduler does not run its
  /// filters, and counts it as "didn't satisfy plugin(s)".
  bool is_left_out = false;
  /// No filter refuses, but the search for devices gave up or met an unsupported expression, or
  /// objects that a filter needs were not read.
  bool is_undecided = false;

  /// Whether some filter says no.
  [[nodiscard]] bool is_refused() const { return blockers != 0; }
  /// Whether no filter refuses the pod, as far as could be checked.
  [[nodiscard]] bool lets_in() const { return !is_refused() && !is_left_out; }
};

/// A PreFilter refused the pod itself, whatever the node.
struct PodRejection {
  Filter filter{};
  Rejection rejection = Rejection::unresolvable;
  std::string message;           ///< the scheduler's
  bool is_before_queue = false;  ///< a PreEnqueue refused it: the scheduler writes no message
};

/// What kube-scheduler would answer for one pod, and more: every filter on every node.
struct Verdict {
  std::vector<std::string> reasons;  ///< the scheduler's texts that blockers point to
  /// Lists of results for nodes, each list stored once, in the order of filters. The first list is
  /// empty: the pod fits. Thousands of nodes share a few lists.
  std::vector<std::vector<FilterFailure>> blocker_lists = {{}};
  std::vector<NodeVerdict> nodes;        ///< those that were judged, in the order of the cluster's
  std::vector<PodRejection> rejections;  ///< of PreFilters, in their order; the first one counts
  /// A cycle that ends in an error (SchedulerError): no further node is checked.
  std::optional<std::string> error;
  std::vector<Filter> leaving_out;  ///< the PreFilters that narrowed the set of nodes, by name
  /// The state of the pod's claims, which decides the end of the message: whether some passed
  /// DynamicResources' PreFilter, whether that PreFilter did not run, and whether the scheduler
  /// deletes a claim that an earlier attempt left.
  enum class Claims : std::uint8_t { none, pending, deallocatable, deleted, not_reached } claims{};
  std::vector<std::string> not_checked;  ///< what a client cannot know: "extenders"
  /// Kinds that filters need and that were not read, by plural: "csinodes"; each once.
  std::vector<std::string> unread;

  [[nodiscard]] const std::vector<FilterFailure>& blockers_of(const NodeVerdict& node) const {
    return blocker_lists[node.blockers];
  }
  /// Nodes that nothing refuses; some may be undecided.
  [[nodiscard]] std::size_t fitting() const;
  /// Of those, the ones on which it fits for sure.
  [[nodiscard]] std::size_t decided() const;
  /// Whether the scheduler would bind it now: surely on some node.
  [[nodiscard]] bool fits() const;
};

/// The blockers at which the scheduler stops: all of the first filter that refuses.
std::vector<FilterFailure> first_of(const std::vector<FilterFailure>& blockers);

}  // namespace gpu::scheduler
