#include "diagnose/stack/gpu_promise.hpp"

#include <algorithm>

#include "diagnose/stack/added_nodes.hpp"
#include "diagnose/stack/daemon_reach.hpp"
#include "diagnose/stack/pci_label.hpp"
#include "model/objects/own_kind.hpp"

namespace gpu::diagnose {
namespace {

/// Whoever taints a node with the name of a GPU resource says that it has GPUs, even where no label
/// does: without node feature discovery none is set.
bool is_tainted_for(const Node& node, const GpuResource& asked) {
  return std::any_of(node.taints.begin(), node.taints.end(), [&](const Taint& taint) {
    const auto named = gpu_resource(taint.key);
    return named && named->vendor == asked.vendor;
  });
}

/// Node feature discovery saw a card of the maker. Some such cards are a part of the processor, so
/// that without a pod that requests their maker's GPUs they are no promise.
bool has_card_on_bus(const Node& node, Vendor vendor) {
  return std::any_of(node.labels.begin(), node.labels.end(), [&](const auto& label) {
    const auto card = pci_label(label.first);
    return card && card->vendor == vendor && label.second == "true";
  });
}

/// A device plugin whose DaemonSet selects nodes has a pod there: whoever labelled the node, or
/// wrote its name down, says that it has GPUs. Others run on every node.
bool has_chosen_plugin(const scheduler::Cluster& cluster, const scheduler::NodeState& node,
                       Vendor vendor) {
  const auto daemons = cluster.shared<StackDaemons>().of(DaemonRole::device_plugin, vendor);
  return std::any_of(daemons.begin(), daemons.end(), [&](const DaemonSet* daemon) {
    const Pod& spec = daemon->pod;
    if (spec.node_selector.empty() && !spec.placement.node_affinity) return false;
    return std::any_of(node.pods.begin(), node.pods.end(), [&](const scheduler::BoundPod& bound) {
      const auto& owners = bound.pod->owners;
      return bound.pod->ns == daemon->ns &&
             std::any_of(owners.begin(), owners.end(), [&](const OwnerReference& owner) {
               return is_own(owner, "DaemonSet") && owner.name == daemon->name;
             });
    });
  });
}

}  // namespace

bool is_promised(const scheduler::Cluster& cluster, const scheduler::NodeState& node,
                 const GpuResource& asked) {
  return is_tainted_for(*node.node, asked) || has_card_on_bus(*node.node, asked.vendor) ||
         has_chosen_plugin(cluster, node, asked.vendor) ||
         cluster.shared<AddedNodes>().added_by(*node.node, asked.vendor);
}

}  // namespace gpu::diagnose
