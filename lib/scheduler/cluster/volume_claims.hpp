#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/cluster/cluster.hpp"

namespace gpu::scheduler {

/// Which of a pod's volumes a plugin checks: VolumeRestrictions and VolumeZone leave out those
/// whose claims are created for the pod.
enum class ClaimKinds { named, named_and_ephemeral };

/// A pod's volume and its claim; null if there is no claim of that name.
struct ClaimedVolume {
  const PodVolume* volume = nullptr;
  const PersistentVolumeClaim* claim = nullptr;
};

/// The volumes of `pod` that use claims, in the order of its spec.
std::vector<ClaimedVolume> claimed_volumes(const Cluster& cluster, const Pod& pod,
                                           ClaimKinds kinds);

/// Whether all objects of a kind ("persistentvolumeclaims") were read: one that is missing does not
/// exist.
bool sees_all(const Cluster& cluster, std::string_view plural);

/// "no CSINodes, PersistentVolumes and StorageClasses were read".
std::string none_read(const std::vector<std::string_view>& kinds);

/// The API server's text for an object that is not there: `persistentvolumeclaim "x" not found`.
std::string not_found(std::string_view kind, std::string_view name);

/// Why the claim of an ephemeral volume does not belong to this pod; nothing if it does.
std::optional<std::string> foreign_claim(const Pod& pod, const PersistentVolumeClaim& claim);

/// spec.storageClassName, empty where it is absent.
std::string_view class_of(const PersistentVolumeClaim& claim);

/// Whether labels of a node match a selector, as component-helpers' CheckNodeAffinity checks it for
/// PersistentVolumes: it ignores names of nodes.
bool matches_labels(const NodeSelector& selector, const StringMap& labels);

}  // namespace gpu::scheduler
