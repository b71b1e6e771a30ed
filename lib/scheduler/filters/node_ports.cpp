#include "scheduler/filters/node_ports.hpp"

#include <algorithm>

#include "scheduler/cluster/rules.hpp"

namespace gpu::scheduler {
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

using Uses = std::vector<PortsInUse::Use>;

bool is_before(const PortsInUse::Use& use, const HostPort& port) { return use.port < port; }

/// Uses of `port` and of its protocol start here, whatever the address.
HostPort start_of(const HostPort& port) { return {{}, port.protocol, port.port}; }

bool is_on_same(const HostPort& a, const HostPort& b) {
  return a.port == b.port && a.protocol == b.protocol;
}

}  // namespace

std::vector<HostPort> host_ports(const Pod& pod, const Rules& rules) {
  std::vector<HostPort> ports;
  for (const Container& container : pod.init_containers)
    if (rules.counts_sidecar_ports && container.restarts_always) add_ports(container, ports);
  for (const Container& container : pod.containers) add_ports(container, ports);
  return ports;
}

PortsInUse::PortsInUse(const Cluster& cluster) : by_node(cluster.nodes().size()) {
  for (std::size_t i = 0; i < by_node.size(); ++i) {
    Uses& uses = by_node[i];
    for (const BoundPod& bound : cluster.nodes()[i].pods)
      for (const HostPort& port : host_ports(*bound.pod, cluster.rules()))
        uses.push_back({bound.pod, port, uses.size()});
    std::stable_sort(uses.begin(), uses.end(),
                     [](const Use& a, const Use& b) { return a.port < b.port; });
  }
}

const PortsInUse::Use* collision(const Uses& uses, const HostPort& port) {
  const PortsInUse::Use* first = nullptr;
  const auto take = [&](const PortsInUse::Use& use) {
    if (first == nullptr || use.order < first->order) first = &use;
  };
  if (port.ip == kAllAddresses) {
    for (auto at = std::lower_bound(uses.begin(), uses.end(), start_of(port), is_before);
         at != uses.end() && is_on_same(at->port, port); ++at)
      take(*at);
    return first;
  }
  for (const std::string_view ip : {kAllAddresses, port.ip}) {
    const HostPort other{ip, port.protocol, port.port};
    const auto at = std::lower_bound(uses.begin(), uses.end(), other, is_before);
    if (at != uses.end() && at->port == other) take(*at);
  }
  return first;
}

NodePorts::NodePorts(const Cluster& cluster, const Pod& pod)
    : rules_(cluster.rules()), wanted_(host_ports(pod, rules_)) {
  if (!wanted_.empty()) in_use_ = &cluster.shared<PortsInUse>();
  std::sort(wanted_.begin(), wanted_.end());
  wanted_.erase(std::unique(wanted_.begin(), wanted_.end()), wanted_.end());
}

bool NodePorts::is_taken(const HostPort& port) const {
  if (port.ip == kAllAddresses) {
    const auto at = std::lower_bound(wanted_.begin(), wanted_.end(), start_of(port));
    return at != wanted_.end() && is_on_same(*at, port);
  }
  return std::binary_search(wanted_.begin(), wanted_.end(), port) ||
         std::binary_search(wanted_.begin(), wanted_.end(),
                            HostPort{kAllAddresses, port.protocol, port.port});
}

/// The scheduler keeps a node's ports as a set: once one of two pods with the same port has gone,
/// it takes the port for free.
bool NodePorts::is_any_taken(const NodeView& node) const {
  const Uses& uses = in_use_->by_node[node.index];
  for (std::size_t i = 0; i < uses.size();) {
    const HostPort& port = uses[i].port;
    bool is_released = false;
    for (; i < uses.size() && uses[i].port == port; ++i)
      is_released = is_released || (!node.gone.empty() && node.has_gone(uses[i].pod));
    if (!is_released && is_taken(port)) return true;
  }
  return false;
}

void NodePorts::ask(const NodeView& node, Findings& findings) const {
  if (wanted_.empty()) return;
  bool is_refused = is_any_taken(node);
  for (const BoundPod* extra : node.extra) {
    const std::vector<HostPort> ports = host_ports(*extra->pod, rules_);
    is_refused = is_refused || std::any_of(ports.begin(), ports.end(),
                                           [&](const HostPort& port) { return is_taken(port); });
  }
  if (is_refused)
    findings.refuse(Rejection::unschedulable,
                    "node(s) didn't have free ports for the requested pod ports");
}

}  // namespace gpu::scheduler
