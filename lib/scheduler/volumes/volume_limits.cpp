#include "scheduler/volumes/volume_limits.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scheduler/cluster/rules.hpp"
#include "scheduler/cluster/volume_claims.hpp"
#include "scheduler/volumes/volume_translation.hpp"

namespace gpu::scheduler {
namespace {

/// Drivers by volume: a volume that several pods use counts once.
using AttachedVolumes = std::map<std::string, std::string, std::less<>>;

bool has_limits(const CsiNode& csi_node) {
  return std::any_of(csi_node.drivers.begin(), csi_node.drivers.end(),
                     [](const CsiNodeDriver& driver) { return driver.count.has_value(); });
}

/// VolumeAttachments by node, and whether drivers have limits at all.
struct Attachments {
  explicit Attachments(const Cluster& cluster) {
    const SchedulingFacts& facts = cluster.snapshot().scheduling;
    for (const VolumeAttachment& each : facts.attachments) by_node[each.node].push_back(&each);
    is_any_limited = std::any_of(facts.csi_nodes.begin(), facts.csi_nodes.end(), has_limits);
  }
  std::unordered_map<std::string, std::vector<const VolumeAttachment*>> by_node;
  bool is_any_limited = false;
};

/// A volume as CSI names it; without a driver it is not counted.
struct CsiVolume {
  std::string driver;
  std::string handle;
};

CsiVolume to_be_made(const Cluster& cluster, const CsiNode* csi_node,
                     const PersistentVolumeClaim& claim) {
  const StorageClass* storage_class = cluster.storage_class(class_of(claim));
  if (storage_class == nullptr) return {};
  CsiVolume volume{storage_class->provisioner, "claim-" + claim.ns + "/" + claim.name};
  if (const MovedKind* moved = moved_kind(&MovedKind::plugin, storage_class->provisioner))
    volume.driver = is_counted(*moved, csi_node, cluster.rules()) ? moved->driver : "";
  return volume;
}

CsiVolume volume_of(const Cluster& cluster, const CsiNode* csi_node,
                    const PersistentVolumeClaim& claim) {
  const PersistentVolume* volume = claim.volume.empty() ? nullptr : cluster.volume(claim.volume);
  if (volume == nullptr) return to_be_made(cluster, csi_node, claim);
  if (!volume->csi_driver.empty()) return {volume->csi_driver, volume->csi_handle};
  const MovedKind* moved = moved_kind(&MovedKind::field, volume->legacy_driver);
  if (moved == nullptr || !is_counted(*moved, csi_node, cluster.rules())) return {};
  if (translation_mistake(*volume, *moved)) return {};
  return {std::string(moved->driver), translated_handle(*volume, *moved)};
}

/// The driver that a disk which a pod names itself counts for; null where it counts for none.
const MovedKind* driver_of(const Cluster& cluster, const PodVolume& volume,
                           const CsiNode* csi_node) {
  if (!volume.disk) return nullptr;
  const MovedKind* moved = moved_kind(&MovedKind::field, volume.disk->kind);
  return moved != nullptr && is_counted(*moved, csi_node, cluster.rules()) ? moved : nullptr;
}

std::optional<std::string> disk_mistake(const PodVolume& volume) {
  std::optional<std::string> why = translation_mistake(*volume.disk);
  if (why) why = "converting volume(" + volume.name + ") from inline to csi: " + *why;
  return why;
}

/// Adds the volumes of `pod`. What is said when the scheduler gives up.
std::optional<std::string> add_volumes(const Cluster& cluster, const Pod& pod,
                                       const CsiNode* csi_node, AttachedVolumes& volumes) {
  for (const PodVolume& each : pod.volumes) {
    CsiVolume volume;
    if (!each.claim.empty()) {
      const PersistentVolumeClaim* claim = cluster.volume_claim(pod.ns, each.claim);
      if (claim == nullptr) continue;
      if (each.is_ephemeral)
        if (std::optional<std::string> why = foreign_claim(pod, *claim)) return why;
      volume = volume_of(cluster, csi_node, *claim);
    } else if (const MovedKind* moved = driver_of(cluster, each, csi_node)) {
      if (std::optional<std::string> why = disk_mistake(each)) return why;
      volume = {std::string(moved->driver), translated_handle(*each.disk)};
    }
    if (volume.driver.empty() || volume.handle.empty()) continue;
    volumes.insert_or_assign(volume.driver + "/" + volume.handle, volume.driver);
  }
  return std::nullopt;
}

AttachedVolumes attached_to(const Cluster& cluster, const std::string& node) {
  AttachedVolumes volumes;
  if (!cluster.rules().counts_attachments) return volumes;
  const auto& by_node = cluster.shared<Attachments>().by_node;
  const auto found = by_node.find(node);
  if (found == by_node.end()) return volumes;
  for (const VolumeAttachment* each : found->second) {
    const PersistentVolume* volume = each->volume.empty() ? nullptr : cluster.volume(each->volume);
    if (each->attacher.empty() || volume == nullptr || volume->csi_driver.empty()) continue;
    volumes.insert_or_assign(each->attacher + "/" + volume->csi_handle, each->attacher);
  }
  return volumes;
}

std::int64_t count_of(const AttachedVolumes& volumes, std::string_view driver) {
  return std::count_if(volumes.begin(), volumes.end(),
                       [&](const auto& volume) { return volume.second == driver; });
}

}  // namespace

VolumeLimits::VolumeLimits(const Cluster& cluster, const Pod& pod, const EndedPods& ended)
    : cluster_(cluster), pod_(pod), ended_(ended) {
  before_.skips = std::none_of(pod.volumes.begin(), pod.volumes.end(), [](const PodVolume& volume) {
    return !volume.claim.empty() ||
           (volume.disk && moved_kind(&MovedKind::field, volume.disk->kind) != nullptr);
  });
  if (!before_.skips) check_coverage();
}

/// What is attached counts only where a driver has a limit.
void VolumeLimits::check_coverage() {
  std::vector<std::string_view> names;
  const auto need = [&](std::string_view plural, std::string_view name) {
    if (sees_all(cluster_, plural)) return;
    before_.unread.emplace_back(plural);
    names.push_back(name);
  };
  need("csinodes", "CSINodes");
  if (!before_.unread.empty() || cluster_.shared<Attachments>().is_any_limited) {
    if (cluster_.rules().counts_attachments) need("volumeattachments", "VolumeAttachments");
    need("persistentvolumeclaims", "PersistentVolumeClaims");
    need("persistentvolumes", "PersistentVolumes");
    need("storageclasses", "StorageClasses");
  }
  if (!names.empty()) before_.not_checked.push_back("limits of volumes: " + none_read(names));
}

std::optional<VolumeExcess> VolumeLimits::excess(const NodeView& node, Findings& findings) const {
  if (before_.skips) return std::nullopt;
  const std::string& name = node.state.node->name;
  const CsiNode* csi_node = cluster_.csi_node(name);
  for (const PodVolume& each : pod_.volumes)
    if (driver_of(cluster_, each, csi_node) != nullptr)
      if (const std::optional<std::string> why = disk_mistake(each)) {
        findings.abort(*why);
        return std::nullopt;
      }
  if (csi_node == nullptr || !has_limits(*csi_node)) return std::nullopt;
  AttachedVolumes wanted;
  // What is wrong with the pod's own claims, VolumeBinding says.
  if (add_volumes(cluster_, pod_, csi_node, wanted) || wanted.empty()) return std::nullopt;
  AttachedVolumes present;
  std::optional<std::string> mistake;
  node.each_pod([&](const BoundPod& bound) {
    if (!mistake) mistake = add_volumes(cluster_, *bound.pod, csi_node, present);
  });
  if (mistake) {
    findings.abort(*mistake);
    return std::nullopt;
  }
  for (const auto& volume : present) wanted.erase(volume.first);
  AttachedVolumes detached;
  for (const Pod* pod : ended_)
    if (pod->node_name == name) add_volumes(cluster_, *pod, csi_node, detached);
  for (auto& volume : attached_to(cluster_, name))
    if (!detached.contains(volume.first)) present.insert(std::move(volume));
  for (const CsiNodeDriver& driver : csi_node->drivers) {
    const std::int64_t more = count_of(wanted, driver.name);
    if (!driver.count || more == 0) continue;
    const std::int64_t attached = count_of(present, driver.name);
    if (attached + more > *driver.count) return VolumeExcess{driver.name, attached, *driver.count};
  }
  return std::nullopt;
}

void VolumeLimits::ask(const NodeView& node, Findings& findings) const {
  if (excess(node, findings))
    findings.refuse(Rejection::unschedulable, "node(s) exceed max volume count");
}

}  // namespace gpu::scheduler
