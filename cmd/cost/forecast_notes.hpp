#pragma once

#include <string>
#include <vector>

#include "cmd/cost/forecast_report.hpp"

namespace gpu::cmd {

/// What people should know of the amounts: what was priced, what bounds them, spot capacity, what
/// Objects of the manifest of which nobody knows what their pods request: "workflow/eval".
std::vector<std::string> unpriced_objects(const ForecastAnswer& answer);

/// was not checked. One line each.
std::vector<std::string> forecast_notes(const ForecastAnswer& answer);

/// Prices that are not known, and old ones.
std::vector<Gap> forecast_gaps(const std::vector<cost::ObjectForecast>& objects,
                               const std::optional<Time>& now);

}  // namespace gpu::cmd
