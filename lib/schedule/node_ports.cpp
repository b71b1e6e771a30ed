#include "schedule/node_ports.hpp"

#include <algorithm>

namespace gpu::schedule {
namespace {

constexpr std::string_view kAllAddresses = "0.0.0.0";

void add_ports(const Container& container, std::vector<HostPort>& ports) {
  for (const ContainerPort& port : container.ports) {
    if (port.host_port <= 0) continue;
    ports.push_back({.ip = port.host_ip.empty() ? kAllAddresses : std::string_view(port.host_ip),
                     .protocol = port.protocol.empty() ? "TCP" : std::string_view(port.protocol),
                     .port = port.host_port});
  }
}

/// The scheduler keeps a node's ports as a set: once one of two pods with the same port has gone,
/// it takes the port for free.
bool is_released(const NodeView& node, const std::vector<PortsInUse::Use>& uses,
                 const HostPort& port) {
  return !node.gone.empty() &&
         std::any_of(uses.begin(), uses.end(), [&](const PortsInUse::Use& use) {
           return use.port == port && node.has_gone(use.pod);
         });
}

}  // namespace

std::vector<HostPort> host_ports(const Pod& pod) {
  std::vector<HostPort> ports;
  for (const Container& container : pod.init_containers)
    if (container.restarts_always) add_ports(container, ports);
  for (const Container& container : pod.containers) add_ports(container, ports);
  return ports;
}

bool collide(const HostPort& a, const HostPort& b) {
  return a.port == b.port && a.protocol == b.protocol &&
         (a.ip == b.ip || a.ip == kAllAddresses || b.ip == kAllAddresses);
}

PortsInUse::PortsInUse(const Cluster& cluster) : by_node(cluster.nodes().size()) {
  for (std::size_t i = 0; i < by_node.size(); ++i)
    for (const BoundPod& bound : cluster.nodes()[i].pods)
      for (const HostPort& port : host_ports(*bound.pod)) by_node[i].push_back({bound.pod, port});
}

NodePorts::NodePorts(const Cluster& cluster, const Pod& pod) : wanted_(host_ports(pod)) {
  if (!wanted_.empty()) in_use_ = &cluster.shared<PortsInUse>();
}

bool NodePorts::is_taken(const HostPort& port) const {
  return std::any_of(wanted_.begin(), wanted_.end(),
                     [&](const HostPort& each) { return collide(each, port); });
}

void NodePorts::ask(const NodeView& node, Refusals& refusals) const {
  if (wanted_.empty()) return;
  const auto& uses = in_use_->by_node[node.index];
  bool is_refused = std::any_of(uses.begin(), uses.end(), [&](const PortsInUse::Use& use) {
    return is_taken(use.port) && !is_released(node, uses, use.port);
  });
  for (const BoundPod* extra : node.extra) {
    const std::vector<HostPort> ports = host_ports(*extra->pod);
    is_refused = is_refused || std::any_of(ports.begin(), ports.end(),
                                           [&](const HostPort& port) { return is_taken(port); });
  }
  if (is_refused)
    refusals.refuse(Filter::node_ports, Rejection::unschedulable,
                    "node(s) didn't have free ports for the requested pod ports");
}

}  // namespace gpu::schedule
