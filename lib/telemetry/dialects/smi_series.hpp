#pragma once

#include <vector>

#include "model/gpu/sample.hpp"
#include "telemetry/dialects/series.hpp"

namespace gpu::telemetry {

/// The result of samples_of_nvidia_smi(), as series that samples_of() can read: a snapshot keeps
/// this instead of the XML, which also names processes. Values that were not credible are left out.
std::vector<Series> smi_series(const std::vector<Sample>& samples);

}  // namespace gpu::telemetry
