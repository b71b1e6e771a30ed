#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/answer/explanation.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Why a node that should have `resource`, or has GPUs at all, does not offer enough of it, when
/// the reason is not that pods hold it: the GPU stack of the node.
struct StackFault {
  Code code{};  ///< device_plugin_missing, gpu_unhealthy, mig_mismatch, resource_renamed, ...
  std::string detail;  ///< "advertises nvidia.com/gpu.shared"; short
  std::vector<Advice> advice;
  /// How `detail` reads: by itself, or on behind the node's name: "has 8, none allocatable".
  enum class Reads : std::uint8_t { by_itself, behind_name } reads{};
  bool is_vague = false;        ///< no plugin registered, and nothing tells why
  std::int64_t units = 0;       ///< of gpu_unhealthy: what the node should have
  std::string other_name = {};  ///< the one name under which the node offers the GPUs, if it does
};

/// Nothing where the node offers the resource as it should, or has no GPUs.
std::optional<StackFault> stack_fault(const scheduler::Cluster& cluster,
                                      const scheduler::NodeState& node, std::string_view resource);

/// What stack_fault() says of each node, worked out once for all pods: Cluster::shared().
class StackFaults {
 public:
  explicit StackFaults(const scheduler::Cluster& cluster) : cluster_(cluster) {}
  const std::optional<StackFault>& of(std::size_t node, scheduler::ResourceId resource) const;
  /// Of a resource that may have no number: only a manifest asks for it.
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

/// What of a cause in the GPU stack could not be looked at: DaemonSets that were not read.
std::vector<std::string> unseen_stack(const scheduler::Cluster& cluster, Code code);

/// The nearest name to an extended resource that no node has, among those that nodes advertise;
/// empty where none is near.
std::string nearest_resource(const scheduler::Cluster& cluster, std::string_view resource);

/// What helps where no driver has published a device at all; nothing where some did, or where that
/// could not be seen.
std::vector<Advice> advice_without_devices(const scheduler::Cluster& cluster);

}  // namespace gpu::diagnose
