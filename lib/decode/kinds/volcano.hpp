#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/objects/volcano.hpp"

namespace gpu::decode {

/// Objects of scheduling.volcano.sh. Both throw Error{data} for JSON that is none.
VolcanoQueue volcano_queue_from_json(const nlohmann::json& object);
VolcanoPodGroup volcano_pod_group_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
