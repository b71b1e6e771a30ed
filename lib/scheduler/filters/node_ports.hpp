#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "model/objects/pod.hpp"
#include "scheduler/cluster/findings.hpp"
#include "scheduler/cluster/node_view.hpp"

namespace gpu::scheduler {

/// A port of a node that a pod takes. Refers to the pod.
struct HostPort {
  std::string_view ip;  ///< "0.0.0.0": all
  std::string_view protocol;
  std::int32_t port = 0;
  friend bool operator==(const HostPort&, const HostPort&) = default;
  /// By port, then protocol, so that ports that may collide are neighbours.
  friend bool operator<(const HostPort& a, const HostPort& b) {
    return std::tie(a.port, a.protocol, a.ip) < std::tie(b.port, b.protocol, b.ip);
  }
};

/// The host ports of a pod's containers and, by the minor, of sidecars; ordinary init containers
/// do not count.
std::vector<HostPort> host_ports(const Pod& pod, const Rules& rules);

/// Which pods on each node take ports there. For Cluster::shared().
struct PortsInUse {
  explicit PortsInUse(const Cluster& cluster);
  struct Use {
    const Pod* pod;
    HostPort port;
    std::size_t order = 0;  ///< in the node's list of pods
  };
  std::vector<std::vector<Use>> by_node;  ///< each by port
};

/// The first use on a node, in the order of its pods, that keeps a pod with `port` away; null where
/// nothing does.
const PortsInUse::Use* collision(const std::vector<PortsInUse::Use>& uses, const HostPort& port);

/// NodePorts for one pod. Refers to the cluster and the pod.
class NodePorts {
 public:
  NodePorts(const Cluster& cluster, const Pod& pod);
  [[nodiscard]] PreFilterResult before() const { return {.skips = wanted_.empty()}; }
  void ask(const NodeView& node, Findings& findings) const;

 private:
  [[nodiscard]] bool is_taken(const HostPort& port) const;
  [[nodiscard]] bool is_any_taken(const NodeView& node) const;

  const Rules& rules_;
  std::vector<HostPort> wanted_;  ///< sorted; each once
  const PortsInUse* in_use_ = nullptr;
};

}  // namespace gpu::scheduler
