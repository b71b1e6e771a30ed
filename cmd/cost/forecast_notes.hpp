#pragma once

#include <string>
#include <vector>

#include "cmd/cost/forecast_report.hpp"

namespace gpu::cmd {

/// Objects of the manifest of which nobody knows what their pods request: "workflow/eval".
std::vector<std::string> unpriced_objects(const ForecastAnswer& answer);

/// What people should know of the amounts: how many pods there may be, what bounds them, what was
/// priced, spot capacity, what was not checked. About ten lines at most: equal notes are one, and
/// the last line says how many were left out.
std::vector<std::string> forecast_notes(const ForecastAnswer& answer);

}  // namespace gpu::cmd
