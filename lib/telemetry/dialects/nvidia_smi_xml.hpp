#pragma once

#include <string_view>
#include <vector>

#include "model/gpu/sample.hpp"
#include "telemetry/dialects/interpret.hpp"

namespace gpu::telemetry {

/// The cards in the output of `nvidia-smi -q -x`, and their MIG instances, each a sample of its
/// own; drivers from 2016 on (nvsmi_device_v8.dtd to v13). N/A is not a value. Owners of processes
/// are not known: PIDs are the host's. Throws Error{data} for another text, or one that is cut off.
std::vector<Sample> samples_of_nvidia_smi(std::string_view xml, const Origin& origin);

}  // namespace gpu::telemetry
