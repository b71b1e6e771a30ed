#pragma once

#include "cmd/cost/cost_flags.hpp"
#include "cmd/shell/env.hpp"
#include "cmd/shell/flags.hpp"

namespace gpu::cmd {

void add_forecast_flags(FlagSet& flags, ForecastFlags& to);

/// Throws Error{usage} for flags that say something of manifests, where there are none.
void check_without_files(const ForecastFlags& flags);

/// Prints what the manifests of -f would cost; 1 where that may be more than --max. Throws Error
/// where --max cannot be answered.
int forecast_cost(const CostFlags& flags, Env& env);

}  // namespace gpu::cmd
