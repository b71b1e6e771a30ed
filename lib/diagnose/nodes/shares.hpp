#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "diagnose/nodes/node_reason.hpp"
#include "scheduler/cluster/cluster.hpp"

namespace gpu::diagnose {

/// Which GPU resources are shares of cards, by time-slicing or MPS of NVIDIA's device plugin: one
/// unit is a share, and several units give no more of the card. Cluster::shared().
class Shares {
 public:
  explicit Shares(const scheduler::Cluster& cluster) : cluster_(cluster) {}
  /// Of a node that offers some of it.
  [[nodiscard]] bool are_on(std::size_t node, scheduler::ResourceId resource) const;
  /// Whether it is shares on all nodes that offer some of it, and there is one.
  [[nodiscard]] bool are_all(scheduler::ResourceId resource) const;

 private:
  const scheduler::Cluster& cluster_;
  mutable std::map<std::pair<std::size_t, scheduler::ResourceId>, bool> on_;
  mutable std::map<scheduler::ResourceId, bool> all_;
};

/// "GPU", "GPUs", "GPU share", "GPU shares".
std::string_view gpu_word(const scheduler::Cluster& cluster, scheduler::ResourceId resource,
                          std::int64_t amount);

/// The same for all that the pod requests: "shares" if all of them are shares.
std::string_view gpu_word(const scheduler::Cluster& cluster, const NodeReasons& reasons,
                          std::int64_t amount);

/// Whether a container of the pod requests several shares of one node's cards, which its device
/// plugin can refuse once the pod is bound (failRequestsGreaterThanOne; with MPS it always does).
bool asks_for_several_shares(const scheduler::Cluster& cluster, const Pod& pod, std::size_t node);

}  // namespace gpu::diagnose
