#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/pod.hpp"
#include "schedule/refusals.hpp"

namespace gpu::schedule {

/// A port of a node that a pod takes. Refers to the pod.
struct HostPort {
  std::string_view ip;  ///< "0.0.0.0": all
  std::string_view protocol;
  std::int32_t port = 0;
  friend bool operator==(const HostPort&, const HostPort&) = default;
};

/// The host ports of a pod's containers and sidecars; ordinary init containers do not count.
std::vector<HostPort> host_ports(const Pod& pod);

/// Whether two pods with these cannot be on one node.
bool collide(const HostPort& a, const HostPort& b);

/// Which pods on each node take ports there. For Cluster::shared().
struct PortsInUse {
  explicit PortsInUse(const Cluster& cluster);
  struct Use {
    const Pod* pod;
    HostPort port;
  };
  std::vector<std::vector<Use>> by_node;
};

/// NodePorts for one pod. Refers to the cluster and the pod.
class NodePorts {
 public:
  NodePorts(const Cluster& cluster, const Pod& pod);
  [[nodiscard]] bool skips() const { return wanted_.empty(); }
  void ask(const NodeView& node, Refusals& refusals) const;

 private:
  [[nodiscard]] bool is_taken(const HostPort& port) const;

  std::vector<HostPort> wanted_;
  const PortsInUse* in_use_ = nullptr;
};

}  // namespace gpu::schedule
