#pragma once

#include <nlohmann/json_fwd.hpp>

#include "model/objects/job.hpp"

namespace gpu::decode {

/// A batch/v1 Job. What of its spec and status is not what the API says stands in Job::unread.
/// Throws Error{data} for JSON that is none.
Job job_from_json(const nlohmann::json& object);

}  // namespace gpu::decode
