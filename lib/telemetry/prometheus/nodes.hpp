#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/gpu/sample.hpp"
#include "model/snapshot/snapshot.hpp"
#include "telemetry/exporters/exporters.hpp"

namespace gpu::telemetry {

/// Finds the node of a sample of Prometheus: by its labels, by the address or the name of the
/// scraped exporter, and last by Hostname, which is often a pod's name. A sample whose labels
/// contradict each other has no node.
class NodeFinder {
 public:
  NodeFinder(const Snapshot& snapshot, const std::vector<Exporter>& exporters);
  [[nodiscard]] std::optional<std::string> node_of(const Sample& sample) const;

 private:
  /// A key, and its node; an empty one if the key belongs to several nodes.
  using Nodes = std::map<std::string, std::string, std::less<>>;
  static void add(Nodes& nodes, const std::string& key, const std::string& node);
  static std::string_view found(const Nodes& nodes, std::string_view key);

  Nodes by_name_;
  Nodes by_address_;
  Nodes by_exporter_;  ///< NAMESPACE/POD
  Nodes by_pod_name_;
};

/// The host of "10.1.2.3:9400", "[fd00::1]:9400", "gpu-a:9400".
std::string_view host_of_instance(std::string_view instance);

}  // namespace gpu::telemetry
