#include "scheduler/volumes/volume_match.hpp"

#include <algorithm>
#include <unordered_map>

#include "scheduler/cluster/volume_claims.hpp"

namespace gpu::scheduler {
namespace {

/// PersistentVolumes by class: the scheduler looks at those of the claim's class only.
struct VolumesByClass {
  explicit VolumesByClass(const Cluster& cluster) {
    for (const PersistentVolume& volume : cluster.snapshot().scheduling.volumes)
      by_class[volume.storage_class].push_back(&volume);
  }
  std::unordered_map<std::string, std::vector<const PersistentVolume*>> by_class;
};

bool is_reserved(const PersistentVolume& volume) { return !volume.claim_name.empty(); }

bool is_reserved_for(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  return is_reserved(volume) && volume.claim_name == claim.name && volume.claim_ns == claim.ns &&
         (volume.claim_uid.empty() || volume.claim_uid == claim.uid);
}

std::string_view mode_of(std::string_view mode) { return mode.empty() ? "Filesystem" : mode; }

bool has_modes(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  return std::all_of(
      claim.access_modes.begin(), claim.access_modes.end(), [&](const std::string& mode) {
        return std::find(volume.access_modes.begin(), volume.access_modes.end(), mode) !=
               volume.access_modes.end();
      });
}

bool reaches(const PersistentVolume& volume, const Node& node) {
  return !volume.node_affinity || matches_labels(*volume.node_affinity, node.labels);
}

/// What a volume needs even when it is reserved for the claim.
bool is_candidate(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  if (is_reserved(volume) && !is_reserved_for(volume, claim)) return false;
  return volume.storage >= claim.storage &&
         mode_of(volume.volume_mode) == mode_of(claim.volume_mode) &&
         volume.attributes_class == claim.attributes_class && !volume.deleted;
}

bool can_be_taken(const PersistentVolume& volume, const PersistentVolumeClaim& claim,
                  const Node& node) {
  if (volume.phase != "Available" || !has_modes(volume, claim)) return false;
  if (claim.selector && !matches(*claim.selector, volume.labels)) return false;
  return reaches(volume, node);
}

}  // namespace

const PersistentVolume* matching_volume(const Cluster& cluster, const PersistentVolumeClaim& claim,
                                        const Node& node, const ChosenVolumes& chosen) {
  const auto& by_class = cluster.shared<VolumesByClass>().by_class;
  const auto volumes = by_class.find(std::string(class_of(claim)));
  if (volumes == by_class.end()) return nullptr;
  const PersistentVolume* smallest = nullptr;
  for (const PersistentVolume* volume : volumes->second) {
    if (chosen.contains(volume->name) || !is_candidate(*volume, claim)) continue;
    if (is_reserved_for(*volume, claim)) return reaches(*volume, node) ? volume : nullptr;
    if (!can_be_taken(*volume, claim, node)) continue;
    if (smallest == nullptr || smallest->storage > volume->storage) smallest = volume;
  }
  return smallest;
}

}  // namespace gpu::scheduler
