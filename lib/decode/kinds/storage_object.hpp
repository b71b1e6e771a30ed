#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/objects/volume.hpp"

namespace gpu::decode {

/// Objects of storage.k8s.io, of v1 and the betas before it. All throw Error{data} for JSON that is
/// none.
StorageClass storage_class_from_json(const nlohmann::json& object);
CsiNode csi_node_from_json(const nlohmann::json& object);
CsiDriver csi_driver_from_json(const nlohmann::json& object);
StorageCapacity storage_capacity_from_json(const nlohmann::json& object);
VolumeAttachment volume_attachment_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
