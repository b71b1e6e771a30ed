#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/objects/api_group.hpp"

namespace gpu::decode {

/// An item of an APIGroupDiscoveryList (apidiscovery.k8s.io). Throws Error{data} for JSON that is
/// none.
ApiGroup api_group_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
