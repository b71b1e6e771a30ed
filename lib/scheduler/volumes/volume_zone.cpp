#include "scheduler/volumes/volume_zone.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/ascii.hpp"
#include "scheduler/cluster/volume_claims.hpp"

namespace gpu::scheduler {
namespace {

constexpr std::array<std::string_view, 4> kTopologyLabels = {
    "failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region",
    "topology.kubernetes.io/zone", "topology.kubernetes.io/region"};

std::string_view stable_name_of(std::string_view label) {
  if (label == kTopologyLabels[0]) return kTopologyLabels[2];
  if (label == kTopologyLabels[1]) return kTopologyLabels[3];
  return label;
}

/// "a__b" is two zones. Nothing where one of them is empty: the label is then not looked at.
std::optional<std::vector<std::string>> zones_of(std::string_view label) {
  constexpr std::string_view kSeparator = "__";
  std::vector<std::string> zones;
  while (true) {
    const std::size_t end = label.find(kSeparator);
    const std::string_view zone = trimmed(label.substr(0, end));
    if (zone.empty()) return std::nullopt;
    zones.emplace_back(zone);
    if (end == std::string_view::npos) return zones;
    label.remove_prefix(end + kSeparator.size());
  }
}

}  // namespace

VolumeZone::VolumeZone(const Cluster& cluster, const Pod& pod) {
  for (const ClaimedVolume& each : claimed_volumes(cluster, pod, ClaimKinds::named)) {
    if (each.claim == nullptr) {
      if (!sees_all(cluster, "persistentvolumeclaims")) continue;  // VolumeBinding says so
      refuse(not_found("persistentvolumeclaim", each.volume->claim));
      break;
    }
    if (!read(cluster, *each.claim)) break;
  }
  before_.skips = !before_.refusal && constraints_.empty();
}

void VolumeZone::refuse(std::string message) {
  before_.refusal = {Rejection::unresolvable, std::move(message)};
}

bool VolumeZone::read(const Cluster& cluster, const PersistentVolumeClaim& claim) {
  if (claim.volume.empty()) return read_unbound(cluster, claim);
  const PersistentVolume* volume = cluster.volume(claim.volume);
  if (volume != nullptr) {
    add_constraints(*volume);
    return true;
  }
  if (!sees_all(cluster, "persistentvolumes")) {
    before_.lacks("persistentvolumes", "PersistentVolume " + claim.volume);
    return true;
  }
  refuse(not_found("persistentvolume", claim.volume));
  return false;
}

bool VolumeZone::read_unbound(const Cluster& cluster, const PersistentVolumeClaim& claim) {
  const std::string_view name = class_of(claim);
  if (name.empty()) {
    refuse("PersistentVolumeClaim had no pv name and storageClass name");
    return false;
  }
  const StorageClass* storage_class = cluster.storage_class(name);
  if (storage_class == nullptr) {
    if (!sees_all(cluster, "storageclasses")) return true;  // VolumeBinding says so
    refuse(not_found("storageclass.storage.k8s.io", name));
    return false;
  }
  if (storage_class->waits_for_consumer) return true;
  refuse("PersistentVolume had no name");
  return false;
}

void VolumeZone::add_constraints(const PersistentVolume& volume) {
  for (const std::string_view key : kTopologyLabels) {
    const std::string* const label = volume.labels.find(key);
    if (label == nullptr) continue;
    if (std::optional<std::vector<std::string>> zones = zones_of(*label))
      constraints_.push_back({std::string(key), std::move(*zones)});
  }
}

void VolumeZone::ask(const NodeView& node, Findings& findings) const {
  const StringMap& labels = node.state.node->labels;
  const bool has_zone = std::any_of(kTopologyLabels.begin(), kTopologyLabels.end(),
                                    [&](std::string_view label) { return labels.contains(label); });
  if (!has_zone) return;
  const bool fits =
      std::all_of(constraints_.begin(), constraints_.end(), [&](const Constraint& constraint) {
        const std::string* value = labels.find(constraint.key);
        if (value == nullptr) value = labels.find(stable_name_of(constraint.key));
        return value != nullptr && std::find(constraint.values.begin(), constraint.values.end(),
                                             *value) != constraint.values.end();
      });
  if (!fits) findings.refuse(Rejection::unresolvable, "node(s) had no available volume zone");
}

}  // namespace gpu::scheduler
