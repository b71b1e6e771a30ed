#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "cost/forecast/forecast.hpp"
#include "report/columns.hpp"

namespace gpu::cmd {

using ForecastColumns = report::Columns<cost::ObjectForecast>;

/// What json, yaml and csv hold of an object.
void add_forecast_keys(ForecastColumns& columns);

/// The horizons that are shown where nothing says how long an object runs, in hours.
inline constexpr std::array<std::int64_t, 4> kHorizons = {1, 8, 24, 168};

/// What the object costs over so many hours; only where it has neither deadline nor hours.
std::optional<cost::MoneyRange> over_horizon(const cost::ObjectForecast& object,
                                             std::int64_t hours);

}  // namespace gpu::cmd
