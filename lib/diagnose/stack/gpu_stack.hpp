#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "diagnose/stack/stack_fault.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// The fault of a node's GPU stack for `resource`. Nothing if the node offers the resource as it
/// should, or has no GPUs.
std::optional<StackFault> stack_fault(const scheduler::Cluster& cluster,
                                      const scheduler::NodeState& node, std::string_view resource);

/// stack_fault() of each node, computed once for all pods: Cluster::shared().
class StackFaults {
 public:
  explicit StackFaults(const scheduler::Cluster& cluster) : cluster_(cluster) {}
  const std::optional<StackFault>& of(std::size_t node, scheduler::ResourceId resource) const;
  /// For a resource that may have no ResourceId, because only a manifest requests it.
  const std::optional<StackFault>& of(std::size_t node, std::string_view resource) const;

 private:
  struct Known {
    bool is_known = false;
    std::optional<StackFault> fault;
  };
  const std::optional<StackFault>& in(std::vector<Known>& nodes, std::size_t node,
                                      std::string_view resource) const;

  const scheduler::Cluster& cluster_;
  mutable std::map<scheduler::ResourceId, std::vector<Known>> known_;  ///< by node
  mutable std::map<std::string, std::vector<Known>, std::less<>> unnumbered_;
};

/// What could not be checked for a cause in the GPU stack: DaemonSets that were not read.
std::vector<std::string> unseen_stack(const scheduler::Cluster& cluster, Code code);

/// The nearest name to an extended resource that no node has, among those that nodes advertise;
/// empty where none is near.
std::string nearest_resource(const scheduler::Cluster& cluster, std::string_view resource);

}  // namespace gpu::diagnose
