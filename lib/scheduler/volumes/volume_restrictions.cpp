#include "scheduler/volumes/volume_restrictions.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "scheduler/cluster/rules.hpp"
#include "scheduler/cluster/volume_claims.hpp"

namespace gpu::scheduler {
namespace {

/// Who uses the claims that pods on nodes name, by NAMESPACE/NAME.
struct ClaimsInUse {
  explicit ClaimsInUse(const Cluster& cluster) {
    for (const NodeState& node : cluster.nodes())
      for (const BoundPod& bound : node.pods)
        for (const PodVolume& volume : bound.pod->volumes)
          if (!volume.claim.empty() && !volume.is_ephemeral)
            users[bound.pod->ns + "/" + volume.claim].push_back(bound.pod);
  }
  std::unordered_map<std::string, std::vector<const Pod*>> users;
};

bool shares_monitor(const InlineDisk& a, const InlineDisk& b) {
  return std::find_first_of(a.monitors.begin(), a.monitors.end(), b.monitors.begin(),
                            b.monitors.end()) != a.monitors.end();
}

/// Of other kinds, two pods on one node may use a disk.
bool is_restricted(const InlineDisk& disk) {
  return disk.kind == "gcePersistentDisk" || disk.kind == "awsElasticBlockStore" ||
         disk.kind == "rbd" || disk.kind == "iscsi";
}

bool conflicts(const InlineDisk& a, const InlineDisk& b) {
  if (a.kind != b.kind || a.id != b.id || !is_restricted(a)) return false;
  if (a.kind == "awsElasticBlockStore") return true;
  if (a.kind == "rbd" && !shares_monitor(a, b)) return false;
  return !(a.read_only && b.read_only);
}

bool is_exclusive(const PersistentVolumeClaim& claim) {
  return std::find(claim.access_modes.begin(), claim.access_modes.end(), "ReadWriteOncePod") !=
         claim.access_modes.end();
}

}  // namespace

VolumeRestrictions::VolumeRestrictions(const Cluster& cluster, const Pod& pod,
                                       const EndedPods& ended)
    : pod_(pod), ended_(ended), says_same_claim_(cluster.rules().says_same_claim) {
  find_exclusive_claims(cluster);
  const bool has_disks =
      std::any_of(pod.volumes.begin(), pod.volumes.end(),
                  [](const PodVolume& each) { return each.disk && is_restricted(*each.disk); });
  before_.skips = !has_disks && taken_ == 0;
}

void VolumeRestrictions::find_exclusive_claims(const Cluster& cluster) {
  for (const ClaimedVolume& each : claimed_volumes(cluster, pod_, ClaimKinds::named)) {
    if (each.claim != nullptr) {
      if (is_exclusive(*each.claim)) exclusive_.insert(each.claim->name);
    } else if (!sees_all(cluster, "persistentvolumeclaims")) {
      before_.lacks("persistentvolumeclaims", "PersistentVolumeClaim " + each.volume->claim);
    } else if (!before_.refusal) {
      before_.refusal = {Rejection::unresolvable,
                         not_found("persistentvolumeclaim", each.volume->claim)};
    }
  }
  if (exclusive_.empty()) return;
  const auto& users = cluster.shared<ClaimsInUse>().users;
  taken_ = std::count_if(exclusive_.begin(), exclusive_.end(), [&](const std::string& name) {
    const auto found = users.find(pod_.ns + "/" + name);
    return found != users.end() && !std::all_of(found->second.begin(), found->second.end(),
                                                [&](const Pod* pod) { return has_ended(pod); });
  });
}

bool VolumeRestrictions::has_ended(const Pod* pod) const {
  return std::find(ended_.begin(), ended_.end(), pod) != ended_.end();
}

bool VolumeRestrictions::has_disk_conflict(const NodeView& node) const {
  bool found = false;
  for (const PodVolume& mine : pod_.volumes) {
    if (!mine.disk) continue;
    node.each_pod([&](const BoundPod& bound) {
      for (const PodVolume& theirs : bound.pod->volumes)
        found = found || (theirs.disk && conflicts(*mine.disk, *theirs.disk));
    });
  }
  return found;
}

/// As AddPod and RemovePod of the plugin count: by the claim's name, whatever the namespace.
std::int64_t VolumeRestrictions::uses_of_exclusive_claims(const Pod& pod) const {
  return std::count_if(pod.volumes.begin(), pod.volumes.end(), [&](const PodVolume& volume) {
    return !volume.is_ephemeral && exclusive_.contains(volume.claim);
  });
}

void VolumeRestrictions::ask(const NodeView& node, Findings& findings) const {
  if (before_.skips) return;
  if (has_disk_conflict(node)) {
    findings.refuse(Rejection::unschedulable, "node(s) had no available disk");
    return;
  }
  // Wherever the other pod runs: the count is one for the whole cluster.
  std::int64_t taken = taken_;
  for (const Pod* pod : node.gone)
    if (!has_ended(pod)) taken -= uses_of_exclusive_claims(*pod);
  for (const BoundPod* bound : node.extra) taken += uses_of_exclusive_claims(*bound->pod);
  if (taken > 0)
    findings.refuse(Rejection::unschedulable,
                    says_same_claim_
                        ? "node has pod using PersistentVolumeClaim with the same name and "
                          "ReadWriteOncePod access mode"
                        : "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod "
                          "access mode already in-use by another pod");
}

}  // namespace gpu::scheduler
