#include "diagnose/nodes/volume_detail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/objects/quantity_text.hpp"
#include "model/objects/selector_text.hpp"
#include "scheduler/cluster/volume_claims.hpp"
#include "scheduler/volumes/volume_limits.hpp"

namespace gpu::diagnose {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";

std::string joined(const std::vector<std::string>& values) {
  return fmt::format("{}", fmt::join(values, " or "));
}

std::string value_at(const Node& node, const std::string& key) {
  const std::string* const value = node.labels.find(key);
  return value == nullptr ? "" : *value;
}

/// "a__b" is two zones.
std::vector<std::string> zones_of(std::string_view label) {
  std::vector<std::string> zones;
  for (std::size_t at = 0; at <= label.size();) {
    const std::size_t end = std::min(label.find("__", at), label.size());
    zones.emplace_back(label.substr(at, end - at));
    at = end + 2;
  }
  return zones;
}

bool is_exclusive(const PersistentVolumeClaim& claim) {
  const auto& modes = claim.access_modes;
  return std::find(modes.begin(), modes.end(), "ReadWriteOncePod") != modes.end();
}

/// The first pod on a node for which `uses` holds: "ml/other-0 on gpu-1".
template <class Uses>
std::string user_of(const scheduler::Cluster& cluster, Uses uses) {
  for (const scheduler::NodeState& node : cluster.nodes())
    for (const scheduler::BoundPod& bound : node.pods)
      for (const PodVolume& volume : bound.pod->volumes)
        if (uses(*bound.pod, volume))
          return fmt::format("{}/{} on {}", bound.pod->ns, bound.pod->name, node.node->name);
  return {};
}

/// "zone eu-1b", "node gpu-3".
std::string place_text(std::string_view key, std::string_view values) {
  return fmt::format("{} {}", key == kHostname ? "node" : last_part(key), values);
}

}  // namespace

VolumeDetails::VolumeDetails(const scheduler::Overlay& overlay, const Pod& pod)
    : overlay_(overlay), pod_(pod) {}

VolumeDetails::Elsewhere VolumeDetails::elsewhere(const Node& node) const {
  static constexpr std::array<const char*, 2> kLabels = {"topology.kubernetes.io/zone",
                                                         "topology.kubernetes.io/region"};
  const scheduler::Cluster& cluster = overlay_.cluster();
  for (const scheduler::ClaimedVolume& each :
       claimed_volumes(cluster, pod_, scheduler::ClaimKinds::named_and_ephemeral)) {
    const PersistentVolume* const volume =
        each.claim == nullptr ? nullptr : cluster.volume(each.claim->volume);
    if (volume == nullptr) continue;
    if (volume->node_affinity && !scheduler::matches_labels(*volume->node_affinity, node.labels))
      for (const NodeSelectorTerm& term : *volume->node_affinity)
        for (const Requirement& requirement : term.expressions)
          if (requirement.op == "In" && !holds(requirement, node.labels))
            return {each.claim->name, requirement.key, joined(requirement.values),
                    value_at(node, requirement.key)};
    for (const std::string key : kLabels)
      if (const std::string* const label = volume->labels.find(key)) {
        const std::vector<std::string> zones = zones_of(*label);
        const std::string here = value_at(node, key);
        if (!here.empty() && std::find(zones.begin(), zones.end(), here) == zones.end())
          return {each.claim->name, key, joined(zones), here};
      }
  }
  return {};
}

std::string VolumeDetails::place_headline(const RuledOut& ruled_out) const {
  const Node& node = *overlay_.state(ruled_out.nodes.front()).node;
  const Elsewhere where = elsewhere(node);
  if (where.key.empty()) return {};
  const std::string lead = fmt::format("the volume of claim {} is in {}", where.claim,
                                       place_text(where.key, where.values));
  if (ruled_out.nodes.size() > 1)
    return fmt::format("{}, and the {} are not", lead, ruled_out.title);
  if (where.key == kHostname || where.here.empty())
    return fmt::format("{}, and {}, the {}, is not", lead, node.name, ruled_out.title);
  return fmt::format("{}, and {}, the {}, is in {}", lead, node.name, ruled_out.title, where.here);
}

std::string VolumeDetails::limit_headline(const RuledOut& ruled_out) const {
  const std::size_t nearest = ruled_out.nodes.front();
  scheduler::Findings findings(scheduler::Filter::node_volume_limits);
  const auto excess = scheduler::VolumeLimits(overlay_.cluster(), pod_, overlay_.ended_pods())
                          .excess(overlay_.view(nearest), findings);
  if (!excess) return {};
  const std::string& name = overlay_.state(nearest).node->name;
  if (ruled_out.nodes.size() == 1)
    return fmt::format("{} may attach {} {} of {}, and has {}", name, excess->limit,
                       excess->limit == 1 ? "volume" : "volumes", excess->driver, excess->attached);
  return fmt::format("the {} can attach no more volumes of {}: {} has {} of {}", ruled_out.title,
                     excess->driver, name, excess->attached, excess->limit);
}

std::string VolumeDetails::use_headline(const RuledOut& ruled_out) const {
  const scheduler::Cluster& cluster = overlay_.cluster();
  for (const scheduler::ClaimedVolume& each :
       claimed_volumes(cluster, pod_, scheduler::ClaimKinds::named)) {
    if (each.claim == nullptr || !is_exclusive(*each.claim)) continue;
    const std::string user = user_of(cluster, [&](const Pod& pod, const PodVolume& volume) {
      return pod.ns == pod_.ns && !volume.is_ephemeral && volume.claim == each.claim->name;
    });
    if (!user.empty())
      return fmt::format("claim {} is for one pod at a time (ReadWriteOncePod), and {} uses it",
                         each.claim->name, user);
  }
  for (const PodVolume& mine : pod_.volumes) {
    if (!mine.disk) continue;
    for (const scheduler::BoundPod& bound : cluster.nodes()[ruled_out.nodes.front()].pods)
      for (const PodVolume& theirs : bound.pod->volumes)
        if (theirs.disk && theirs.disk->kind == mine.disk->kind && theirs.disk->id == mine.disk->id)
          return fmt::format("disk {} is in use on {}, by {}/{}", mine.disk->id,
                             cluster.nodes()[ruled_out.nodes.front()].node->name, bound.pod->ns,
                             bound.pod->name);
  }
  return {};
}

std::string VolumeDetails::missing_headline(const RuledOut& ruled_out) const {
  const scheduler::Cluster& cluster = overlay_.cluster();
  const Node& of = *overlay_.state(ruled_out.nodes.front()).node;
  for (const scheduler::ClaimedVolume& each :
       claimed_volumes(cluster, pod_, scheduler::ClaimKinds::named_and_ephemeral)) {
    if (each.claim == nullptr) continue;
    const PersistentVolumeClaim& claim = *each.claim;
    if (claim.is_bound) {
      if (cluster.volume(claim.volume) == nullptr)
        return fmt::format("the volume {} of claim {} does not exist", claim.volume, claim.name);
      continue;
    }
    const StorageClass* const made_by = cluster.storage_class(scheduler::class_of(claim));
    if (made_by == nullptr) continue;
    if (!claim.selected_node.empty() && claim.selected_node != of.name)
      return fmt::format("the volume of claim {} is being made on {}, which was chosen before",
                         claim.name, claim.selected_node);
    if (made_by->provisioner.empty() || made_by->provisioner == "kubernetes.io/no-provisioner")
      return fmt::format("claim {} requests a volume of class {}, and none is free on {}",
                         claim.name, made_by->name, of.name);
    if (!made_by->allowed_topologies.empty() &&
        !scheduler::matches_labels(made_by->allowed_topologies, of.labels))
      return fmt::format("claim {} requests class {}, whose allowedTopologies leave out {}",
                         claim.name, made_by->name, of.name);
    return fmt::format("claim {} requests {} of class {}, and {} has no room for that", claim.name,
                       quantity_text("memory", claim.storage), made_by->name, of.name);
  }
  return {};
}

std::string VolumeDetails::place_detail(std::size_t node) const {
  const Elsewhere where = elsewhere(*overlay_.state(node).node);
  return where.key.empty() ? "" : "volume in " + place_text(where.key, where.values);
}

std::string VolumeDetails::limit_detail(std::size_t node) const {
  scheduler::Findings findings(scheduler::Filter::node_volume_limits);
  const auto excess = scheduler::VolumeLimits(overlay_.cluster(), pod_, overlay_.ended_pods())
                          .excess(overlay_.view(node), findings);
  return excess ? fmt::format("{} of {} of {}", excess->attached, excess->limit, excess->driver)
                : "";
}

}  // namespace gpu::diagnose
