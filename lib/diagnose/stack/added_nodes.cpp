#include "diagnose/stack/added_nodes.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "base/split.hpp"
#include "model/snapshot/requests.hpp"

namespace gpu::diagnose {
namespace {

/// Labels by which clouds name the pool of a node: GKE, EKS, eksctl, AKS.
constexpr std::array<std::string_view, 5> kPoolLabels = {
    "cloud.google.com/gke-nodepool", "eks.amazonaws.com/nodegroup",
    "alpha.eksctl.io/nodegroup-name", "kubernetes.azure.com/agentpool", "agentpool"};

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

/// The groups of "pod triggered scale-up: [{gpu-pool 1->2 (max: 4)} {other 0->1 (max: 3)}]".
std::vector<std::string> groups_in(std::string_view message) {
  std::vector<std::string> groups;
  for (std::size_t open = message.find('{'); open != std::string_view::npos;
       open = message.find('{', open + 1)) {
    const std::string_view rest = message.substr(open + 1);
    groups.emplace_back(rest.substr(0, rest.find(' ')));
  }
  return groups;
}

/// Whether `pool` stands in the group's name as a part of its own: "gke-prod-gpu-1a2b-grp".
bool names_pool(std::string_view group, std::string_view pool) {
  if (pool.empty()) return false;
  const auto ends_part = [&](std::size_t at) {
    return at >= group.size() || std::isalnum(static_cast<unsigned char>(group[at])) == 0;
  };
  for (std::size_t at = group.find(pool); at != std::string_view::npos;
       at = group.find(pool, at + 1))
    if ((at == 0 || ends_part(at - 1)) && ends_part(at + pool.size())) return true;
  return false;
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
    if (std::ranges::any_of(kPoolLabels, [&](std::string_view label) {
          return names_pool(promise.group, value_of(node.labels, label));
        }))
      return "cluster-autoscaler";
  }
  return std::nullopt;
}

}  // namespace gpu::diagnose
