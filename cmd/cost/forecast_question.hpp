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

  [[nodiscard]] bool is_empty() const { return planned.pods.empty() && planned.outlines.empty(); }
};

/// Reads flags and manifests; `read` keeps what is wrong with some of the files. Throws
/// Error{usage} for what does not go together, and for manifests that create no pods.
ForecastQuestion forecast_question(const CostFlags& flags, Manifests& read, const Env& env);

}  // namespace gpu::cmd
