#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/objects/pod.hpp"
#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_view.hpp"
#include "scheduler/devices/dynamic_resources.hpp"

namespace gpu::scheduler {

/// NodeResourcesFit for one pod.
class NodeResourcesFit {
 public:
  NodeResourcesFit(const Cluster& cluster, const Pod& pod, const DynamicResources& devices);
  [[nodiscard]] static PreFilterResult before() { return {}; }
  void ask(const NodeView& node, Findings& findings) const;
  /// The same without `pods` pods of the node, whose requests add up to `requests`, by ResourceId.
  void ask_without(const NodeState& node, std::int64_t pods, std::span<const std::int64_t> requests,
                   Findings& findings) const;
  /// Whether all sums of requests on the node are exact, and none was capped: otherwise
  /// ask_without() cannot compute what is left.
  [[nodiscard]] bool has_exact_sums(const NodeState& node) const;

 private:
  /// What the pod requests of one resource.
  struct Need {
    std::optional<ResourceId> resource;  ///< nothing: no node and no pod on one knows it
    std::int64_t value = 0;
    std::string text;
    bool is_of_devices = false;  ///< DynamicResources' matter where a node has none
  };
  [[nodiscard]] std::vector<std::int64_t> changes(const NodeView& node) const;
  void ask_pods(const NodeState& node, std::int64_t pods, Findings& findings) const;
  [[nodiscard]] static std::int64_t requested_on(const NodeView& node, const Need& need,
                                                 std::int64_t change);
  void ask_need(const Need& need, const NodeState& node, std::int64_t requested,
                Findings& findings) const;

  std::vector<Need> needs_;
  bool sees_lasting_shortage_;
};

}  // namespace gpu::scheduler
