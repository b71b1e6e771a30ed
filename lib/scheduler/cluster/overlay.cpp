#include "scheduler/cluster/overlay.hpp"

#include <algorithm>

namespace gpu::scheduler {

void uncordon(Node& node) {
  node.unschedulable = false;
  std::erase_if(node.taints,
                [](const Taint& taint) { return taint.key == "node.kubernetes.io/unschedulable"; });
}

Overlay::Overlay(const Cluster& cluster) : cluster_(cluster) {}

Overlay::Overlay(const Cluster& cluster, const Change& change) : cluster_(cluster) {
  for (const std::string& name : change.uncordoned)
    if (const auto at = cluster.node_named(name)) uncordon(changed(*at));
  for (const TaintRemoval& removal : change.untainted)
    if (const auto at = cluster.node_named(removal.node))
      std::erase(changed(*at).taints, removal.taint);
  for (const Pod* pod : change.ended) {
    const auto at = cluster.node_named(pod->node_name);
    if (!at) continue;
    ended_[*at].push_back(pod);
    ended_pods_.push_back(pod);
  }
}

Node& Overlay::changed(std::size_t node) {
  const auto [at, is_new] = changed_.try_emplace(node);
  if (is_new) {
    at->second.state = cluster_.nodes()[node];
    at->second.node = *at->second.state.node;
    at->second.state.node = &at->second.node;
  }
  return at->second.node;
}

const NodeState& Overlay::state(std::size_t node) const {
  if (!changed_.empty())
    if (const auto at = changed_.find(node); at != changed_.end()) return at->second.state;
  return cluster_.nodes()[node];
}

NodeView Overlay::view(std::size_t node) const {
  NodeView view{cluster_, node, state(node)};
  if (!ended_.empty())
    if (const auto at = ended_.find(node); at != ended_.end()) view.gone = at->second;
  return view;
}

bool Overlay::has_ended(const Pod* pod) const {
  return std::find(ended_pods_.begin(), ended_pods_.end(), pod) != ended_pods_.end();
}

}  // namespace gpu::scheduler
