#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/overlay.hpp"
#include "scheduler/cycle/plugins.hpp"

namespace gpu::scheduler {

/// How many filters run for a node.
enum class Depth {
  all,    ///< every filter
  first,  ///< as the scheduler: up to the first that refuses
};

/// A pod whose PreFilters have run, once, so that each node can be checked with ask(). Refers to
/// the overlay and the pod.
class PreparedFilters {
 public:
  PreparedFilters(const Overlay& overlay, const Pod& pod);
  PreparedFilters(const PreparedFilters&) = delete;
  PreparedFilters& operator=(const PreparedFilters&) = delete;

  [[nodiscard]] const Pod& pod() const { return filters_.pod; }
  [[nodiscard]] const DynamicResources& devices() const { return filters_.devices; }
  /// What the PreFilter of each filter says, in their order.
  struct Before {
    Filter filter{};
    PreFilterResult result;
  };
  [[nodiscard]] const std::vector<Before>& before() const { return before_; }

  /// Runs the filters for a node. If pods are nominated there that have precedence over this pod,
  /// runs them twice, as kube-scheduler does: with those pods, and if it then fits, without. Clears
  /// `findings` first.
  void ask(const NodeView& node, Depth depth, Findings& findings) const;

  /// Whether NodeResourcesFit is the first of its filters that looks at the pods of a node.
  [[nodiscard]] bool asks_resources_first() const { return asks_resources_first_; }
  /// Whether nothing comes after NodeResourcesFit.
  [[nodiscard]] bool asks_resources_last() const { return asks_resources_last_; }
  [[nodiscard]] const NodeResourcesFit& resources() const { return filters_.resources; }

 private:
  void ask_once(const NodeView& node, Depth depth, Findings& findings) const;
  [[nodiscard]] std::vector<const BoundPod*> nominated(const NodeView& node) const;

  PodFilters filters_;
  std::vector<Before> before_;
  std::vector<const Plugin*> active_;  ///< those that have something to say of nodes
  bool asks_resources_first_ = true;
  bool asks_resources_last_ = true;
};

}  // namespace gpu::scheduler
