#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/objects/volume.hpp"

namespace gpu::decode {

/// Objects of core/v1. The annotation of old days that names a storage class goes before the field,
/// as in component-helpers. Both throw Error{data} for JSON that is none.
PersistentVolumeClaim volume_claim_from_json(const nlohmann::json& object);
PersistentVolume persistent_volume_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
