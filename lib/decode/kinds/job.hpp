#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/objects/job.hpp"

namespace gpu::decode {

/// A batch/v1 Job. Throws Error{data} for JSON that is none.
Job job_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
