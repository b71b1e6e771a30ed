#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/flat_map.hpp"
#include "base/quantity.hpp"
#include "base/time.hpp"
#include "model/objects/selector.hpp"

namespace gpu {

/// A disk that a pod names itself: not every two pods may use it on one node (VolumeRestrictions),
/// or it counts against a CSI driver's limit (azureDisk, cinder, portworxVolume).
struct InlineDisk {
  std::string kind;  ///< "awsElasticBlockStore"; "azureDisk:KIND" of one that is not Managed
  std::string id;    ///< pdName, volumeID, POOL/IMAGE, iqn
  std::vector<std::string> monitors;  ///< of rbd
  bool read_only = false;
  friend bool operator==(const InlineDisk&, const InlineDisk&) = default;
};

/// One entry of a pod's `spec.volumes` that matters for where it can run; others are not kept.
struct PodVolume {
  std::string name;
  std::string claim;  ///< persistentVolumeClaim.claimName; of an ephemeral volume POD-VOLUME
  bool is_ephemeral = false;
  std::string csi_driver;  ///< of an inline CSI volume
  std::optional<InlineDisk> disk;
  friend bool operator==(const PodVolume&, const PodVolume&) = default;
};

/// What we keep of a core/v1 PersistentVolumeClaim.
struct PersistentVolumeClaim {
  std::string ns;
  std::string name;
  std::string uid;
  std::optional<Time> deleted;
  std::string owner_uid;  ///< of the controller: the pod of an ephemeral volume
  std::string phase;      ///< Pending, Bound, Lost
  std::string volume;     ///< spec.volumeName
  bool is_bound = false;  ///< annotation pv.kubernetes.io/bind-completed, and `volume`
  std::optional<std::string> storage_class;  ///< absent is not the same as ""
  std::vector<std::string> access_modes;
  std::string volume_mode;  ///< empty: Filesystem
  Quantity storage;         ///< spec.resources.requests
  std::optional<ObjectSelector> selector;
  std::string attributes_class;  ///< spec.volumeAttributesClassName
  std::string selected_node;     ///< annotation volume.kubernetes.io/selected-node
  friend bool operator==(const PersistentVolumeClaim&, const PersistentVolumeClaim&) = default;
};

/// What we keep of a core/v1 PersistentVolume.
struct PersistentVolume {
  std::string name;
  StringMap labels;
  std::optional<Time> deleted;
  std::string phase;  ///< Available, Bound, Released, Failed, Pending
  std::string storage_class;
  std::vector<std::string> access_modes;
  std::string volume_mode;
  Quantity storage;
  std::optional<NodeSelector> node_affinity;  ///< required
  std::string claim_ns;                       ///< spec.claimRef; empty: nobody's
  std::string claim_name;
  std::string claim_uid;
  std::string attributes_class;  ///< spec.volumeAttributesClassName
  std::string csi_driver;
  std::string csi_handle;     ///< or the ID of a volume of an in-tree kind
  std::string legacy_driver;  ///< the in-tree kind where it is not CSI: "awsElasticBlockStore", ...
  friend bool operator==(const PersistentVolume&, const PersistentVolume&) = default;
};

/// What we keep of a storage.k8s.io StorageClass.
struct StorageClass {
  std::string name;
  std::string provisioner;
  bool waits_for_consumer = false;  ///< volumeBindingMode WaitForFirstConsumer
  bool is_default = false;
  std::optional<Time> created;
  NodeSelector allowed_topologies;  ///< as node selector terms; none: everywhere
  friend bool operator==(const StorageClass&, const StorageClass&) = default;
};

/// A driver of a storage.k8s.io CSINode.
struct CsiNodeDriver {
  std::string name;
  std::optional<std::int64_t> count;  ///< allocatable.count; absent: no limit
  friend bool operator==(const CsiNodeDriver&, const CsiNodeDriver&) = default;
};

/// What we keep of a storage.k8s.io CSINode: its name is the node's.
struct CsiNode {
  std::string name;
  StringMap annotations;  ///< only storage.alpha.kubernetes.io/migrated-plugins
  std::vector<CsiNodeDriver> drivers;
  friend bool operator==(const CsiNode&, const CsiNode&) = default;
};

/// What we keep of a storage.k8s.io CSIDriver.
struct CsiDriver {
  std::string name;
  bool storage_capacity = false;     ///< the scheduler looks at CSIStorageCapacity
  bool prevents_scheduling = false;  ///< preventPodSchedulingIfMissing (1.35, gated)
  friend bool operator==(const CsiDriver&, const CsiDriver&) = default;
};

/// What we keep of a storage.k8s.io CSIStorageCapacity.
struct StorageCapacity {
  std::string ns;
  std::string name;
  std::string storage_class;
  std::optional<ObjectSelector> topology;  ///< of nodes; absent: no node
  std::optional<Quantity> capacity;
  std::optional<Quantity> maximum_volume_size;
  friend bool operator==(const StorageCapacity&, const StorageCapacity&) = default;
};

/// What we keep of a storage.k8s.io VolumeAttachment.
struct VolumeAttachment {
  std::string name;
  std::string attacher;  ///< the CSI driver
  std::string node;
  std::string volume;  ///< the PersistentVolume's name
  friend bool operator==(const VolumeAttachment&, const VolumeAttachment&) = default;
};

}  // namespace gpu
