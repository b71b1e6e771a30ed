#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/money.hpp"
#include "cmd/cost/cost_flags.hpp"
#include "cmd/shell/env.hpp"
#include "cmd/shell/reader.hpp"
#include "cost/forecast/forecast.hpp"
#include "model/snapshot/planned_pod.hpp"
#include "report/render.hpp"

namespace gpu::cmd {

/// What is asked of `cost -f`: flags as types, and what the manifests would create.
struct ForecastQuestion {
  PlannedObjects planned;
  cost::ForecastRules rules;
  std::optional<Money> most;  ///< --max
  report::Format format = report::Format::text;
  Reader reader = Reader::people;
};

/// Reads flags and manifests. Throws Error{usage} for what does not go together, and for manifests
/// that make no pods.
ForecastQuestion forecast_question(const CostFlags& flags, const Env& env);

}  // namespace gpu::cmd
