#include "diagnose/lifecycle/volume_zone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "model/gpu/gpu_resource.hpp"
#include "model/snapshot/requests.hpp"
#include "scheduler/cluster/volume_claims.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::string_view kZone = "topology.kubernetes.io/zone";

bool is_zone_key(std::string_view key) {
  static constexpr std::array<std::string_view, 5> kKeys = {
      kZone, "failure-domain.beta.kubernetes.io/zone", "topology.gke.io/zone",
      "topology.ebs.csi.aws.com/zone", "topology.disk.csi.azure.com/zone"};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

std::vector<std::string> zones_of(const PersistentVolume& volume) {
  if (volume.node_affinity)
    for (const NodeSelectorTerm& term : *volume.node_affinity)
      for (const Requirement& requirement : term.expressions)
        if (requirement.op == "In" && is_zone_key(requirement.key)) return requirement.values;
  const std::string_view label = value_of(volume.labels, kZone);
  return label.empty() || label.find("__") != std::string_view::npos
             ? std::vector<std::string>{}
             : std::vector{std::string(label)};
}

/// Zones of the nodes that have GPUs which the pod requests.
std::set<std::string> zones_with_gpus(const scheduler::Cluster& cluster, const Pod& pod) {
  std::set<std::string> zones;
  const ResourceList requests = effective_requests(pod);
  for (const scheduler::NodeState& state : cluster.nodes())
    for (const auto& [name, amount] : requests)
      if (amount.value() > 0 && gpu_resource(name) &&
          amount_of(state.node->allocatable, name).value() > 0)
        zones.emplace(value_of(state.node->labels, kZone));
  return zones;
}

}  // namespace

std::string volume_zone_text(const scheduler::Cluster& cluster, const Pod& pod) {
  for (const scheduler::ClaimedVolume& each :
       claimed_volumes(cluster, pod, scheduler::ClaimKinds::named_and_ephemeral)) {
    const PersistentVolume* const volume =
        each.claim == nullptr ? nullptr : cluster.volume(each.claim->volume);
    if (volume == nullptr) continue;
    const std::vector<std::string> zones = zones_of(*volume);
    if (zones.empty()) continue;
    std::string text = fmt::format("the volume of claim {} is in zone {}", each.claim->name,
                                   fmt::join(zones, " or "));
    const std::set<std::string> others = zones_with_gpus(cluster, pod);
    const bool is_apart = !others.empty() && !others.contains("") &&
                          std::none_of(zones.begin(), zones.end(), [&](const std::string& zone) {
                            return others.contains(zone);
                          });
    if (is_apart)
      text += fmt::format(", and the nodes with such GPUs are in {}", fmt::join(others, " and "));
    return text;
  }
  return {};
}

}  // namespace gpu::diagnose
