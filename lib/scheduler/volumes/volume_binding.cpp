#include "scheduler/volumes/volume_binding.hpp"

#include <algorithm>
#include <optional>

#include "scheduler/cluster/rules.hpp"
#include "scheduler/cluster/volume_claims.hpp"
#include "scheduler/volumes/volume_match.hpp"
#include "scheduler/volumes/volume_translation.hpp"

namespace gpu::scheduler {
namespace {

/// The first mistake in a volume's claim, as podHasPVCs of the plugin words it.
std::optional<std::string> mistake_in(const Pod& pod, const ClaimedVolume& each) {
  if (each.claim == nullptr) {
    if (!each.volume->is_ephemeral) return not_found("persistentvolumeclaim", each.volume->claim);
    return "waiting for ephemeral volume controller to create the persistentvolumeclaim \"" +
           each.volume->claim + "\"";
  }
  const std::string named = "persistentvolumeclaim \"" + each.claim->name + "\" ";
  if (each.claim->phase == "Lost")
    return named + "bound to non-existent persistentvolume \"" + each.claim->volume + "\"";
  if (each.claim->deleted) return named + "is being deleted";
  return each.volume->is_ephemeral ? foreign_claim(pod, *each.claim) : std::nullopt;
}

/// Whether a bound volume can be used on a node, where it may have `moved` to its CSI driver.
bool is_within_reach(const PersistentVolume& volume, const Node& node, const MovedKind* moved) {
  if (moved == nullptr)
    return !volume.node_affinity || matches_labels(*volume.node_affinity, node.labels);
  const std::optional<NodeSelector> affinity = translated_affinity(volume, *moved);
  return !affinity || matches_labels(*affinity, node.labels);
}

const CsiDriver* csi_driver(const Cluster& cluster, std::string_view name) {
  const std::vector<CsiDriver>& drivers = cluster.snapshot().scheduling.csi_drivers;
  const auto found = std::find_if(drivers.begin(), drivers.end(),
                                  [&](const CsiDriver& each) { return each.name == name; });
  return found == drivers.end() ? nullptr : &*found;
}

}  // namespace

VolumeBinding::VolumeBinding(const Cluster& cluster, const Pod& pod)
    : cluster_(cluster), pod_(pod) {
  check_claims();
  if (before_.refusal || before_.skips) return;
  sort_claims();
  check_coverage();
}

void VolumeBinding::refuse(std::string message) {
  before_.refusal = {Rejection::unresolvable, std::move(message)};
}

void VolumeBinding::check_claims() {
  const std::vector<ClaimedVolume> volumes =
      claimed_volumes(cluster_, pod_, ClaimKinds::named_and_ephemeral);
  before_.skips = volumes.empty();
  for (const ClaimedVolume& each : volumes) {
    if (each.claim == nullptr && !sees_all(cluster_, "persistentvolumeclaims")) {
      before_.skips = true;
      before_.lacks("persistentvolumeclaims", "PersistentVolumeClaim " + each.volume->claim);
      continue;
    }
    if (std::optional<std::string> mistake = mistake_in(pod_, each)) {
      refuse(std::move(*mistake));
      return;
    }
  }
}

bool VolumeBinding::waits_for_node(const PersistentVolumeClaim& claim) const {
  const StorageClass* storage_class = cluster_.storage_class(class_of(claim));
  return storage_class != nullptr && storage_class->waits_for_consumer && claim.volume.empty();
}

void VolumeBinding::sort_claims() {
  for (const ClaimedVolume& each :
       claimed_volumes(cluster_, pod_, ClaimKinds::named_and_ephemeral)) {
    const PersistentVolumeClaim& claim = *each.claim;
    if (claim.is_bound) {
      bound_.push_back(&claim);
    } else if (waits_for_node(claim)) {
      delayed_.push_back(&claim);
    } else if (claim.volume.empty() && !class_of(claim).empty() &&
               cluster_.storage_class(class_of(claim)) == nullptr &&
               !sees_all(cluster_, "storageclasses")) {
      before_.lacks("storageclasses", "StorageClass " + std::string(class_of(claim)));
    } else if (!before_.refusal) {
      refuse("pod has unbound immediate PersistentVolumeClaims");
    }
  }
  // Smallest first, so that the smallest volume that is big enough is left for each.
  std::stable_sort(delayed_.begin(), delayed_.end(),
                   [](const auto* a, const auto* b) { return a->storage < b->storage; });
}

/// What the answer for nodes needs and was not read: then nothing is said of them.
void VolumeBinding::check_coverage() {
  std::vector<std::string_view> names;
  const auto need = [&](std::string_view plural, std::string_view name) {
    if (sees_all(cluster_, plural)) return;
    before_.unread.emplace_back(plural);
    names.push_back(name);
  };
  bool misses_bound = false;
  bool may_have_moved = false;
  for (const PersistentVolumeClaim* claim : bound_) {
    const PersistentVolume* const volume = cluster_.volume(claim->volume);
    misses_bound = misses_bound || volume == nullptr;
    may_have_moved = may_have_moved || (volume != nullptr && is_of_moved_kind(*volume));
  }
  if (misses_bound || !delayed_.empty()) need("persistentvolumes", "PersistentVolumes");
  if (may_have_moved) need("csinodes", "CSINodes");
  if (!delayed_.empty()) {
    need("csidrivers", "CSIDrivers");
    need("csistoragecapacities", "CSIStorageCapacities");
  }
  if (!names.empty())
    before_.not_checked.push_back("where volumes can be used: " + none_read(names));
  before_.skips = !before_.not_checked.empty();
}

VolumeBinding::Bound VolumeBinding::bound_volumes(const Node& node, Findings& findings) const {
  const CsiNode* const csi_node = bound_.empty() ? nullptr : cluster_.csi_node(node.name);
  for (const PersistentVolumeClaim* claim : bound_) {
    const PersistentVolume* volume = cluster_.volume(claim->volume);
    if (volume == nullptr) return Bound::missing;
    const MovedKind* const moved = moved_on(*volume, csi_node);
    if (moved != nullptr) {
      if (const std::optional<std::string> mistake = translation_mistake(*volume, *moved)) {
        findings.abort("could not translate pv: " + *mistake);
        return Bound::untranslatable;
      }
    }
    if (!is_within_reach(*volume, node, moved)) return Bound::elsewhere;
  }
  return Bound::fits;
}

std::optional<std::vector<const PersistentVolumeClaim*>> VolumeBinding::to_be_made(
    const Node& node) const {
  std::vector<const PersistentVolumeClaim*> pinned;
  std::vector<const PersistentVolumeClaim*> unmatched;
  ChosenVolumes chosen;
  for (const PersistentVolumeClaim* claim : delayed_) {
    if (claim->selected_node.empty()) continue;
    if (claim->selected_node != node.name) return std::nullopt;
    pinned.push_back(claim);
  }
  for (const PersistentVolumeClaim* claim : delayed_) {
    if (!claim->selected_node.empty()) continue;
    const PersistentVolume* volume = matching_volume(cluster_, *claim, node, chosen);
    if (volume == nullptr)
      unmatched.push_back(claim);
    else
      chosen.insert(volume->name);
  }
  pinned.insert(pinned.end(), unmatched.begin(), unmatched.end());
  return pinned;
}

bool VolumeBinding::has_space(const StorageClass& storage_class, const PersistentVolumeClaim& claim,
                              const Node& node) const {
  const CsiDriver* driver = csi_driver(cluster_, storage_class.provisioner);
  if (driver == nullptr || !driver->storage_capacity) return true;
  const std::vector<StorageCapacity>& all = cluster_.snapshot().scheduling.storage_capacities;
  return std::any_of(all.begin(), all.end(), [&](const StorageCapacity& each) {
    const std::optional<Quantity>& limit =
        each.maximum_volume_size ? each.maximum_volume_size : each.capacity;
    return each.storage_class == storage_class.name && limit &&
           limit->value() >= claim.storage.value() && each.topology &&
           matches(*each.topology, node.labels);
  });
}

VolumeBinding::Made VolumeBinding::make(const std::vector<const PersistentVolumeClaim*>& claims,
                                        const Node& node) const {
  for (const PersistentVolumeClaim* claim : claims) {
    const StorageClass& storage_class = *cluster_.storage_class(class_of(*claim));
    const std::string& provisioner = storage_class.provisioner;
    if (provisioner.empty() || provisioner == "kubernetes.io/no-provisioner") return Made::not_here;
    const NodeSelector& allowed = storage_class.allowed_topologies;
    if (!allowed.empty() && !matches_labels(allowed, node.labels)) return Made::not_here;
    if (!has_space(storage_class, *claim, node)) return Made::no_space;
  }
  return Made::fits;
}

void VolumeBinding::ask(const NodeView& view, Findings& findings) const {
  if (before_.skips || before_.refusal) return;
  const Node& node = *view.state.node;
  const Bound bound = bound_volumes(node, findings);
  if (bound == Bound::untranslatable) return;
  const auto claims = to_be_made(node);
  const Made made = claims ? make(*claims, node) : Made::not_here;
  const auto refuse_node = [&](std::string_view reason) {
    findings.refuse(Rejection::unresolvable, reason);
  };
  if (bound == Bound::elsewhere)
    refuse_node(cluster_.rules().says_volume_conflict
                    ? "node(s) had volume node affinity conflict"
                    : "node(s) didn't match PersistentVolume's node affinity");
  if (made == Made::not_here)
    refuse_node("node(s) didn't find available persistent volumes to bind");
  if (made == Made::no_space) refuse_node("node(s) did not have enough free storage");
  if (bound == Bound::missing)
    refuse_node("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
}

}  // namespace gpu::scheduler
