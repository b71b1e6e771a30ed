#pragma once

#include <vector>

#include "model/gpu/sample.hpp"
#include "telemetry/dialects/series.hpp"

namespace gpu::telemetry {

/// What samples_of_nvidia_smi() read, as series that samples_of() reads back: a snapshot keeps this
/// of the XML, which also names processes. What was told and not believed is left out.
std::vector<Series> smi_series(const std::vector<Sample>& samples);

}  // namespace gpu::telemetry
