#include "scheduler/filters/node_declared_features.hpp"

#include <algorithm>

namespace gpu::scheduler {

NodeDeclaredFeatures::NodeDeclaredFeatures(const Rules& rules, const Pod& pod) {
  if (!rules.reads_declared_features) return;
  const auto restarts_all = [](const Container& each) { return each.restarts_all; };
  if (std::any_of(pod.containers.begin(), pod.containers.end(), restarts_all) ||
      std::any_of(pod.init_containers.begin(), pod.init_containers.end(), restarts_all))
    required_.emplace_back("RestartAllContainersOnContainerExits");
  if (pod.host_network && pod.isolates_users)
    required_.emplace_back("UserNamespacesHostNetworkSupport");
}

std::vector<std::string_view> NodeDeclaredFeatures::missing(const Node& node) const {
  std::vector<std::string_view> features = required_;
  std::erase_if(features, [&](std::string_view feature) {
    return std::find(node.declared_features.begin(), node.declared_features.end(), feature) !=
           node.declared_features.end();
  });
  return features;
}

void NodeDeclaredFeatures::ask(const NodeView& node, Findings& findings) const {
  if (!missing(*node.state.node).empty())
    findings.refuse(Rejection::unresolvable, "node(s) didn't match Pod's required features");
}

}  // namespace gpu::scheduler
