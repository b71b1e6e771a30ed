#include "diagnose/stack/added_nodes.hpp"

#include <algorithm>
#include <map>

#include "base/split.hpp"
#include "diagnose/stack/scale_up_groups.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::diagnose {
namespace {

std::vector<Vendor> vendors_of(const Pod& pod) {
  std::vector<Vendor> vendors;
  for (const auto& [name, amount] : effective_requests(pod))
    if (const auto gpu = gpu_resource(name); gpu && amount > Quantity{})
      vendors.push_back(gpu->vendor);
  return vendors;
}

/// "ip-10-0-1-2" of "Pod should schedule on: nodeclaim/gpu-x, node/ip-10-0-1-2".
std::string nominated_node(std::string_view message) {
  for (const std::string_view word : split(message, ' ')) {
    constexpr std::string_view kNode = "node/";
    if (!word.starts_with(kNode)) continue;
    const std::string_view name = word.substr(kNode.size());
    return std::string(name.substr(0, name.find_first_of(",()")));
  }
  return {};
}

}  // namespace

AddedNodes::AddedNodes(const scheduler::Cluster& cluster) {
  const Snapshot& snapshot = cluster.snapshot();
  std::map<std::string_view, const Pod*> pods;
  for (const Pod& pod : snapshot.pods) pods.emplace(pod.uid, &pod);
  for (const Event& event : snapshot.scheduling.events) {
    const bool is_nominated = event.reason == "Nominated";
    if ((!is_nominated && event.reason != "TriggeredScaleUp") || event.kind != "Pod") continue;
    const auto pod = pods.find(event.object_uid);
    const std::optional<Time> since = event.first ? event.first : event.last;
    if (pod == pods.end() || !since) continue;
    for (const Vendor vendor : vendors_of(*pod->second)) {
      if (is_nominated)
        promises_.push_back({vendor, nominated_node(event.message), {}, *since});
      else
        for (std::string& group : groups_in(event.message))
          promises_.push_back({vendor, {}, std::move(group), *since});
    }
  }
}

std::optional<std::string_view> AddedNodes::added_by(const Node& node, Vendor vendor) const {
  for (const Promise& promise : promises_) {
    if (promise.vendor != vendor) continue;
    if (!promise.node.empty() && promise.node == node.name) return "Karpenter";
    // An older node of that group was not added for the pod.
    if (promise.group.empty() || !node.created || *node.created < promise.since) continue;
    if (is_in_group(node, promise.group)) return "cluster-autoscaler";
  }
  return std::nullopt;
}

}  // namespace gpu::diagnose
