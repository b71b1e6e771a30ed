#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/objects/karpenter.hpp"

namespace gpu::decode {

/// Throws Error{data} that names the object and the field.
KarpenterNodePool karpenter_node_pool_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
