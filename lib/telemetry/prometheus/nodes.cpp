#include "telemetry/prometheus/nodes.hpp"

#include <algorithm>
#include <array>

namespace gpu::telemetry {

std::string_view host_of_instance(std::string_view instance) {
  if (instance.starts_with('[')) {
    const std::size_t end = instance.find(']');
    return end == std::string_view::npos ? std::string_view() : instance.substr(1, end - 1);
  }
  const std::size_t colon = instance.find(':');
  // More than one colon and no bracket: an IPv6 address without a port.
  if (colon != instance.rfind(':')) return instance;
  return instance.substr(0, colon);
}

void NodeFinder::add(Nodes& nodes, const std::string& key, const std::string& node) {
  if (key.empty() || node.empty()) return;
  const auto [at, is_new] = nodes.emplace(key, node);
  if (!is_new && at->second != node) at->second.clear();
}

std::string_view NodeFinder::found(const Nodes& nodes, std::string_view key) {
  const auto at = nodes.find(key);
  return at == nodes.end() ? std::string_view() : std::string_view(at->second);
}

NodeFinder::NodeFinder(const Snapshot& snapshot, const std::vector<Exporter>& exporters) {
  for (const Node& node : snapshot.nodes) add(by_name_, node.name, node.name);
  for (const Pod& pod : snapshot.pods) add(by_address_, pod.host_ip, pod.node_name);
  for (const Exporter& exporter : exporters) {
    add(by_address_, exporter.ip, exporter.node);
    add(by_exporter_, exporter.ns + "/" + exporter.pod, exporter.node);
    add(by_pod_name_, exporter.pod, exporter.node);
  }
}

std::optional<std::string> NodeFinder::node_of(const Sample& sample) const {
  const std::string_view scraped = host_of_instance(sample.instance);
  const std::array<std::string_view, 4> told = {
      found(by_name_, sample.node), found(by_address_, scraped),
      found(by_exporter_, sample.exporter), found(by_name_, scraped)};
  std::string_view node;
  for (const std::string_view one : told) {
    if (one.empty()) continue;
    if (!node.empty() && node != one) return std::nullopt;
    node = one;
  }
  if (node.empty()) node = found(by_pod_name_, sample.host);
  if (node.empty()) node = found(by_name_, sample.host);
  if (node.empty()) return std::nullopt;
  return std::string(node);
}

}  // namespace gpu::telemetry
