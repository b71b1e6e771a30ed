#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/time.hpp"
#include "cost/forecast/forecast.hpp"
#include "model/objects/gap.hpp"

namespace gpu::cmd {

/// "job/train": as notes and gaps name it.
std::string object_name(const cost::ObjectForecast& object);

/// Prices that are not known, and old ones.
std::vector<Gap> forecast_gaps(const std::vector<cost::ObjectForecast>& objects,
                               const std::optional<Time>& now);

}  // namespace gpu::cmd
