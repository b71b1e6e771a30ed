#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/objects/volume.hpp"
#include "scheduler/cluster/rules.hpp"

namespace gpu::scheduler {

/// A kind of in-tree volume, and the CSI driver that replaced it.
struct MovedKind {
  std::string_view field;      ///< of the volume source
  std::string_view plugin;     ///< a StorageClass's provisioner
  std::string_view driver;     ///< empty: its volumes are not counted
  std::string_view zone = {};  ///< the driver's label of nodes; empty: it has none
};

/// Null if no kind has that value. The part after a colon ("azureDisk:Dedicated") does not belong
/// to the kind.
const MovedKind* moved_kind(std::string_view MovedKind::*key, std::string_view value);

/// Whether CSINodes say of a volume whether it is its CSI driver's there.
bool is_of_moved_kind(const PersistentVolume& volume);

/// The kind of a volume that is its CSI driver's on the node of `csi_node`, which may be null; null
/// where the volume stays what it is.
const MovedKind* moved_on(const PersistentVolume& volume, const CsiNode* csi_node);

/// The node affinity of a volume as its CSI driver would write it. Source: csi-translation-lib.
std::optional<NodeSelector> translated_affinity(const PersistentVolume& volume,
                                                const MovedKind& kind);

/// Whether NodeVolumeLimits counts volumes of `kind` for its CSI driver on the node of `csi_node`,
/// which may be null.
bool is_counted(const MovedKind& kind, const CsiNode* csi_node, const Rules& rules);

/// Why the scheduler cannot translate the volume; nothing where it can.
std::optional<std::string> translation_mistake(const PersistentVolume& volume,
                                               const MovedKind& kind);
std::optional<std::string> translation_mistake(const InlineDisk& disk);

/// What the CSI driver calls a volume that can be translated.
std::string translated_handle(const PersistentVolume& volume, const MovedKind& kind);
std::string translated_handle(const InlineDisk& disk);

}  // namespace gpu::scheduler
