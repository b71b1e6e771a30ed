#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/cluster/overlay.hpp"
#include "scheduler/devices/dynamic_resources.hpp"
#include "scheduler/filters/inter_pod_affinity.hpp"
#include "scheduler/filters/node_affinity.hpp"
#include "scheduler/filters/node_declared_features.hpp"
#include "scheduler/filters/node_ports.hpp"
#include "scheduler/filters/node_resources_fit.hpp"
#include "scheduler/filters/node_unschedulable.hpp"
#include "scheduler/filters/pod_topology_spread.hpp"
#include "scheduler/filters/refusals.hpp"
#include "scheduler/filters/taint_toleration.hpp"
#include "scheduler/volumes/volume_filters.hpp"

namespace gpu::scheduler {

/// How far filters are asked of a node.
enum class Depth {
  all,    ///< every filter
  first,  ///< as the scheduler: up to the first that refuses
};

/// A pod whose filters are prepared: what PreFilters do once, so that nodes can be asked one by
/// one. Refers to the overlay and the pod.
class PreparedFilters {
 public:
  PreparedFilters(const Overlay& overlay, const Pod& pod);
  PreparedFilters(const PreparedFilters&) = delete;
  PreparedFilters& operator=(const PreparedFilters&) = delete;

  [[nodiscard]] const Pod& pod() const { return pod_; }
  [[nodiscard]] const DynamicResources& devices() const { return devices_; }
  /// What the PreFilter of each filter says, in their order.
  struct Before {
    Filter filter{};
    PreFilterResult result;
  };
  [[nodiscard]] const std::vector<Before>& before() const { return before_; }

  /// Asks the filters of a node, twice where pods are nominated that the pod must give way to: with
  /// them, and if it then fits, without. Starts `refusals`.
  void ask(const NodeView& node, Depth depth, Refusals& refusals) const;

  /// Whether NodeResourcesFit is the first of its filters that looks at the pods of a node.
  [[nodiscard]] bool asks_resources_first() const { return ports_.skips(); }
  /// Whether nothing comes after NodeResourcesFit.
  [[nodiscard]] bool asks_resources_last() const;
  [[nodiscard]] const NodeResourcesFit& resources() const { return resources_; }

 private:
  void prepare();
  void ask_once(const NodeView& node, Depth depth, Refusals& refusals) const;
  void ask_filter(Filter filter, const NodeView& node, Refusals& refusals) const;
  [[nodiscard]] std::vector<const BoundPod*> nominated(const NodeView& node) const;

  const Pod& pod_;
  NodeUnschedulable unschedulable_;
  TaintToleration taints_;
  NodeAffinity affinity_;
  NodePorts ports_;
  DynamicResources devices_;
  NodeResourcesFit resources_;
  VolumeFilters volumes_;
  PodTopologySpread spread_;
  InterPodAffinity pods_;
  NodeDeclaredFeatures features_;
  std::vector<Before> before_;
  std::vector<Filter> active_;  ///< those that have something to say of nodes
};

}  // namespace gpu::scheduler
