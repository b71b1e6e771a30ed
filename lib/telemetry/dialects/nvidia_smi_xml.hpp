#pragma once

#include <string_view>
#include <vector>

#include "model/gpu/sample.hpp"
#include "telemetry/dialects/interpret.hpp"

namespace gpu::telemetry {

/// The cards that `nvidia-smi -q -x` tells of, and their MIG instances, each a sample of its own;
/// drivers from 2016 on (nvsmi_device_v8.dtd to v13). N/A is no value. Whom the processes belong to
/// is not told: PIDs are the host's. Throws Error{data} for what is no such text, or cut off.
std::vector<Sample> samples_of_nvidia_smi(std::string_view xml, const Origin& origin);

}  // namespace gpu::telemetry
