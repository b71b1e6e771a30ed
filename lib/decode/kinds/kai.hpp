#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/objects/queue.hpp"

namespace gpu::decode {

/// A Queue of scheduling.run.ai. Throws Error{data} that names the object and the field.
KaiQueue kai_queue_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
